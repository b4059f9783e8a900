/**
 * A page of documentation as something that can be run: under each heading its fenced blocks, in their order. `diff` edits
 * the one example file that holds its removed lines, `ts` with a file name in its first line writes that file, `sh` is run,
 * and a `text` right behind an `sh` is what that must print. Other blocks are only shown.
 */

export type Step =
  | { readonly kind: 'edit'; readonly removed: string; readonly added: string }
  | { readonly kind: 'write'; readonly file: string; readonly content: string }
  | { readonly kind: 'run'; readonly script: string; readonly prints: string | null }

export interface Section {
  readonly heading: string
  readonly steps: readonly Step[]
}

interface Block {
  readonly language: string
  readonly content: string
}

/** The sections that have something to run. */
export function sectionsOf(page: string): readonly Section[] {
  return page
    .split(/^(?=#{1,4} )/m)
    .map(text => ({ heading: /^#+ (.*)$/m.exec(text)?.[1] ?? '', steps: stepsOf(blocksOf(text)) }))
    .filter(({ steps }) => steps.some(({ kind }) => kind === 'run'))
}

/** The durations differ from run to run. */
export function withoutDurations(text: string): string {
  return text.replace(/\b\d+(?:\.\d+)? m?s\b/g, '<time>').trimEnd()
}

function blocksOf(text: string): readonly Block[] {
  const fences = text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)
  return [...fences].map(([, indent = '', language = '', content = '']) => ({
    language,
    content: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

function stepsOf(blocks: readonly Block[]): readonly Step[] {
  return blocks.flatMap((block, at) => {
    const next = blocks[at + 1]
    switch (block.language) {
      case 'sh':
        return [run(block.content, next?.language === 'text' ? next.content : null)]
      case 'diff':
        return editsOf(block.content)
      case 'ts':
        return fileOf(block.content)
      default:
        return []
    }
  })
}

function run(script: string, prints: string | null): Step {
  return { kind: 'run', script, prints }
}

/** Each run of removed lines is replaced by the added lines behind it. */
function editsOf(diff: string): readonly Step[] {
  const hunks = diff.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)*)/gm)
  return [...hunks].map(([, removed = '', added = '']) => ({
    kind: 'edit',
    removed: removed.replace(/^-/gm, ''),
    added: added.replace(/^\+/gm, ''),
  }))
}

function fileOf(code: string): readonly Step[] {
  const file = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1]
  return file === undefined ? [] : [{ kind: 'write', file, content: code }]
}
