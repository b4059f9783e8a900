/** The question before a call in mode manual: the call, what the recording has of it, and what may be said. */
import { differences } from '../json/compare.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { type AskedAnswer, type AskedCall, canTake, type Question } from '../trace/question.ts'
import { differenceLines } from './difference-lines.ts'
import { type Layout, labelled, layoutFor, under } from './layout.ts'
import { type Line, type Paper, printPage, span, wrapLine } from './page.ts'
import { chatSummary } from './payload-summary.ts'
import { valueText } from './value-text.ts'

/** Characters of an input or answer: enough to decide, and still on one screen with the question below it. */
const LONGEST = 400

/** Text for the terminal, ending in a newline; the letters to choose from stand in `choicesText`. */
export function questionText(question: Question, paper: Paper): string {
  const layout = layoutFor(paper, false)
  return printPage(
    [...headLines(question), ...inputLines(question, layout), ...answerLines(question, layout)],
    paper,
  )
}

export function choicesText(question: Question): string {
  return canTake(question) ? '[t]ake  [r]un  [e]dit  [s]top' : '[r]un  [e]dit  [s]top'
}

/** `? call 5 of 6  tool issue_refund, with another input than recorded` */
function headLines({ call, of, live, kind, label, inside, verdict }: Question): Line[] {
  const place = call === null ? `call ${live}, new` : `call ${call.number} of ${of}`
  const within = inside === null ? '' : `, made inside live call ${inside}`
  const remark = remarkOn(verdict, call)
  return [
    wrapLine(
      4,
      span('?', 'bold'),
      span(` ${place}  `, 'bold'),
      span(`${kind === 'llm' ? 'model' : 'tool'} ${label}${remark}${within}`),
    ),
  ]
}

function remarkOn(verdict: Question['verdict'], call: AskedCall | null): string {
  switch (verdict) {
    case 'matched':
    case 'unplanned':
      return ''
    case 'changed-input':
      return ', with another input than recorded'
    case 'changed-target':
      return `, where the recording has ${call?.label ?? 'another call'}`
    case 'extra':
      return ', which the recording does not have'
    case 'exhausted':
      return ', asked more often than recorded'
    case 'reordered':
      return ', out of its recorded order'
    case 'no-result':
      return ', which was never answered in the recording'
    case 'altered-recording':
      return ', of which the recording was altered'
    case 'refused':
      return ', which may not be replayed'
  }
}

function inputLines({ input, call, verdict, kind }: Question, layout: Layout): Line[] {
  const shown = labelled(layout, 'input', inputText(input, layout))
  if (call === null || verdict !== 'changed-input') return [shown]
  const found = differences(call.input, input)
  return [shown, ...differenceLines(found, { of: 'input', prose: kind === 'llm' }, layout)]
}

/** Of a chat what was said last, as that is what is new. */
function inputText(input: Json, { paper, marks }: Layout): string {
  const summary = chatSummary(input)
  const last = summary === null ? null : lastMessage(input)
  if (summary === null || last === null) return short(input, paper, marks.cut)
  return `${summary}; the last: ${short(last, paper, marks.cut)}`
}

function lastMessage(input: Json): Json {
  if (!isJsonObject(input)) return null
  const request = isJsonObject(input.request) ? input.request : input
  const messages = request.messages ?? request.input ?? request.contents
  return Array.isArray(messages) ? (messages.at(-1) ?? null) : null
}

function answerLines({ call }: Question, layout: Layout): Line[] {
  if (call === null) return []
  if (call.answer === null) return [under(layout, 'there is no recorded answer to take', 'dim')]
  return [labelled(layout, 'answered', answerText(call.answer, layout))]
}

function answerText(answer: AskedAnswer, { paper, marks }: Layout): string {
  switch (answer.status) {
    case 'ok':
      return short(answer.value, paper, marks.cut)
    case 'undefined':
      return 'with nothing (undefined)'
    case 'error':
      return `with an error, ${answer.error.name}: ${answer.error.message.slice(0, LONGEST)}`
    case 'open':
      return 'never; to take that is to leave the call open'
  }
}

function short(value: Json, paper: Paper, cut: string): string {
  const text = valueText(value, LONGEST, paper)
  return text.length <= LONGEST ? text : text.slice(0, LONGEST) + cut
}
