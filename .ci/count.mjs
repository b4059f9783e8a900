/**
 * Prints `<passed> <failed>` of a vitest run: `node count.mjs <report.json> <exit code>`. A run that failed without a failed
 * test (a file that cannot be loaded, an error outside of any test, no report at all) counts as one failure.
 */
import { existsSync, readFileSync } from 'node:fs'

const [report, exitCode] = process.argv.slice(2)
const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : {}
const failed = numFailedTests === 0 && exitCode !== '0' ? 1 : numFailedTests
process.stdout.write(`${numPassedTests} ${failed}\n`)
