/** Temporary folders with agents and bundles in them, gone when the test ends. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type CliOptions, type CliRun, replayJson, runCli } from './run-cli.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures/recorded-0.2.1')

/** Files by their path below the folder; a string is their text. */
export interface Files {
  readonly [path: string]: string
}

export function workspace(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFiles(folder, files)
  return folder
}

/** As after `npm install stepfork`: an agent that is not bundled finds the package by itself. */
export function linkStepfork(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve(import.meta.dirname, '../..'), join(folder, 'node_modules', 'stepfork'))
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Path of a bundle recorded by the Python package 0.2.1; not to be changed. */
export function fixtureBundle(name: string): string {
  return join(FIXTURES, `${name}.sftrace`)
}

export function fixtureAgent(name: string): string {
  return join(FIXTURES, `${name}.agent.ts`)
}

/** A copy of such a bundle that a test may damage. */
export function copyOfBundle(folder: string, name: string): string {
  const path = join(folder, `${name}.sftrace`)
  cpSync(fixtureBundle(name), path, { recursive: true })
  return path
}

/** A fixture's agent with pieces of its text replaced, each of which must be there. */
export function changedAgent(folder: string, name: string, ...changes: readonly [string, string][]): string {
  const path = join(folder, `${name}.agent.ts`)
  writeFileSync(path, changedText(readFileSync(fixtureAgent(name), 'utf8'), changes))
  return path
}

export function changedText(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((before, [old, next]) => {
    expect(before).toContain(old)
    return before.replace(old, () => next)
  }, text)
}

/** Records `agent.ts` of the folder as `run.sftrace`; fails the test when that fails. */
export async function recordIn(
  folder: string,
  args: readonly string[] = [],
  options: CliOptions = {},
): Promise<CliRun> {
  const agent = args.includes('--agent') ? [] : ['--agent', 'agent.ts']
  const result = await runCli(['record', ...agent, '-o', 'run.sftrace', ...args], { cwd: folder, ...options })
  expect(result).toMatchObject({ code: 0 })
  return result
}

/** Records one version of an agent and puts another in its place: what a replay then finds changed. */
export async function recordThenChange(
  source: string,
  changes: readonly (readonly [string, string])[] = [],
  args: readonly string[] = [],
): Promise<string> {
  const folder = workspace({ 'agent.ts': source })
  await recordIn(folder, args)
  writeFiles(folder, { 'agent.ts': changedText(source, changes) })
  return folder
}

/** One version of an agent, recorded once for all tests of a file, and replayed by each with its own changes. */
export function recordedOnce(source: string, args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-e2e-'))
  const bundle = join(folder, 'run.sftrace')
  beforeAll(async () => {
    writeFiles(folder, { 'agent.ts': source })
    await recordIn(folder, args)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const changed = (changes: readonly (readonly [string, string])[]): string =>
    workspace({ 'agent.ts': changedText(source, changes) })
  return {
    bundle,
    /** Replays with `--json`. */
    replay: (
      changes: readonly (readonly [string, string])[],
      more: readonly string[] = [],
      options: CliOptions = {},
    ) => replayJson([bundle, '--agent', 'agent.ts', ...more], { cwd: changed(changes), ...options }),
    record: (changes: readonly (readonly [string, string])[]) =>
      runCli(['record', '--agent', 'agent.ts#run', '-o', 'again.sftrace'], { cwd: changed(changes) }),
    /** Replays with the report for people. */
    report: (
      changes: readonly (readonly [string, string])[],
      more: readonly string[] = [],
      options: CliOptions = {},
    ) => runCli(['replay', bundle, '--agent', 'agent.ts', ...more], { cwd: changed(changes), ...options }),
  }
}
