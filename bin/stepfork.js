#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'

const built = new URL('../dist/cli.js', import.meta.url)

// The version is answered before anything else is loaded.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`stepfork ${version}\n`)
} else if (existsSync(built)) {
  // From Node 22 on: what was compiled once is not compiled again.
  module.enableCompileCache?.()
  await import(built.href)
} else {
  process.stderr.write('✗ stepfork is not built yet\n\n  Run npm ci in its folder, or npm run build.\n')
  process.exitCode = 2
}
