#!/usr/bin/env node
import { readFileSync } from 'node:fs'

// The version is answered before anything else is loaded.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`stepfork ${version}\n`)
} else {
  await import('../dist/cli.js')
}
