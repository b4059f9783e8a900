import { StepforkError } from '../errors.ts'

/** Methods by which an object is called: a compiled graph, an agent of a framework. */
export const ENTRY_METHODS = ['invoke', 'run', 'generate'] as const

/** Something could be called, but nothing or more than one thing can be meant. `names` are those of the exports. */
export function noEntry(names: readonly string[], file: string): StepforkError {
  const why =
    names.length === 1
      ? `${file} exports only ${names[0]}, which is a class`
      : `${file} exports ${list(names)}, and it is not clear which one to run`
  return new StepforkError('AGENT_NO_ENTRY', why, adviceFor(names, file))
}

export function notExported(names: readonly string[], wanted: string, file: string): StepforkError {
  const has = names.length === 0 ? 'it exports nothing' : `it exports ${list(names)}`
  return new StepforkError(
    'AGENT_NO_ENTRY',
    `${file} has no export "${wanted}"; ${has}`,
    adviceFor(names, file),
  )
}

export function notCallable(wanted: string, isClass: boolean, file: string): StepforkError {
  const what = isClass ? 'a class' : `no function and has no ${list(ENTRY_METHODS, 'or')}`
  return new StepforkError(
    'AGENT_NO_ENTRY',
    `The export "${wanted}" of ${file} is ${what}`,
    `Export a function that runs it:\n${wrapperFor(wanted)}`,
  )
}

function adviceFor(names: readonly string[], file: string): string {
  const [first = 'yourAgent'] = names
  return `Name one (--agent ${file}#${first}), or add the function to run:\n${wrapperFor(first)}`
}

function wrapperFor(name: string): string {
  return ['export async function run(input) {', `  return ${name}(input)`, '}']
    .map(line => `  ${line}`)
    .join('\n')
}

function list(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
