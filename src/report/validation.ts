/** What `validate` found, as text and as JSON. */
import type { Json } from '../json/value.ts'
import type { Issue } from '../trace/issue.ts'
import type { Validation } from '../trace/validation.ts'
import { jsonDocument } from './json-document.ts'
import { marksFor } from './marks.ts'
import { cutLine, EMPTY, type Line, type Paper, printPage, span, wrapLine } from './page.ts'
import { count } from './phrases.ts'

/** Issues listed; a bundle with more has one fault that shows everywhere. `--json` has them all. */
const MOST = 50

export function validationText(validation: Validation, paper: Paper): string {
  return printPage(
    [headLine(validation, paper), ...issueLines(validation), ...fileLines(validation, paper)],
    paper,
  )
}

/** One bundle: an object; several: a list of them. */
export function validationJson(validations: readonly Validation[]): string {
  const all = validations.map(validationObject)
  return jsonDocument(all.length === 1 ? all[0]! : all)
}

function validationObject({ path, mode, valid, issues, integrity }: Validation): Json {
  return {
    valid,
    issues: issues.map(({ code, message, event_id, step, location }) => ({
      code,
      message,
      event_id,
      step,
      location,
    })),
    path,
    mode,
    integrity: integrity === null ? null : { status: integrity.status, files: integrity.files },
  }
}

function headLine(validation: Validation, paper: Paper): Line {
  const { good, bad } = marksFor(paper)
  const mark = validation.exitCode === 0 ? span(good, 'good') : span(bad, 'bad')
  return wrapLine(4, mark, span(` ${validation.path}  `, 'bold'), span(verdict(validation)))
}

function verdict({ exitCode, mode, events, issues, integrity }: Validation): string {
  const rules = mode === 'strict' ? 'as a whole run' : 'as part of a run'
  switch (exitCode) {
    case 0:
      return `valid ${rules}: ${count(events, 'event')}${integrity === null ? '' : ', every file as it was written'}`
    case 1:
      return `not valid ${rules}: ${count(issues.length, 'issue')}`
    case 2:
      return `cannot be read: ${count(issues.length, 'issue')}`
    case 3:
      return 'integrity unknown: the bundle has no integrity.json (an old one has none)'
  }
}

function issueLines({ issues, path }: Validation): Line[] {
  const more = issues.length - MOST
  return [
    ...issues.slice(0, MOST).flatMap(issue => issueLine(issue, path)),
    ...(more > 0 ? [EMPTY, cutLine(span(`  and ${more} more (--json for all)`, 'dim'))] : []),
  ]
}

function issueLine({ code, message, event_id, step, location }: Issue, path: string): Line[] {
  const place = [
    location === path ? null : location,
    event_id === null ? null : `event ${event_id}`,
    step === null ? null : `step ${step}`,
  ]
  const known = place.filter(part => part !== null).join(', ')
  return [
    EMPTY,
    wrapLine(4, span(`  ${code}  `, 'bad'), span(message)),
    ...(known === '' ? [] : [wrapLine(4, span(`    ${known}`, 'dim'))]),
  ]
}

/** The files one by one, where one of them is not as it was written. */
function fileLines({ integrity }: Validation, paper: Paper): Line[] {
  if (integrity === null || integrity.status !== 'mismatch') return []
  const { good, bad } = marksFor(paper)
  const lines = Object.entries(integrity.files).map(([name, found]) => {
    const fine = found === 'verified'
    return cutLine(
      span(`  ${fine ? good : bad.padEnd(good.length)} `, fine ? 'good' : 'bad'),
      span(`${name}  ${found}`),
    )
  })
  return lines.length === 0 ? [] : [EMPTY, ...lines]
}
