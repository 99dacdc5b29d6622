/**
 * The position of the first fault in a text that is not JSON. `JSON.parse` reports that there is one, but not always
 * where. The text is read once from left to right, however deeply it is nested.
 */
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'

export interface JsonFault {
  /** From 0, in UTF-16 units. */
  readonly offset: number
  /** From 1; columns count characters as editors do, in UTF-16 units. */
  readonly line: number
  readonly column: number
  readonly message: string
}

const value = 'a value'
const name = 'a name in double quotes'
const wanted = {
  value,
  valueOrEnd: `${value} or ]`,
  name,
  nameOrEnd: `${name} or }`,
  colon: 'a colon',
  commaInList: 'a comma or ]',
  commaInObject: 'a comma or }',
  end: 'the end',
} as const
type State = keyof typeof wanted

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escapes = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const space = /[ \t\n\r]*/y
const lastSpace = 0x20

export function jsonFault(text: string): JsonFault | undefined {
  const open: ('[' | '{')[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    if (text.charCodeAt(at) <= lastSpace) at = after(space, text, at)
    const character = text.charAt(at)
    if (character === '') return state === 'end' ? undefined : faultAt(text, at, wanted[state])
    if (closes(character, state)) {
      open.pop()
      state = afterValue(open)
      at += 1
    } else if (state === 'colon' || state === 'commaInList' || state === 'commaInObject') {
      if (character !== (state === 'colon' ? ':' : ',')) return faultAt(text, at, wanted[state])
      state = state === 'commaInObject' ? 'name' : 'value'
      at += 1
    } else if (character === '"' && state !== 'end') {
      const end = endOfText(text, at)
      if (typeof end !== 'number') return end
      state = takesName(state) ? 'colon' : afterValue(open)
      at = end
    } else if (state !== 'value' && state !== 'valueOrEnd') {
      return faultAt(text, at, wanted[state])
    } else if (character === '[' || character === '{') {
      open.push(character)
      state = character === '[' ? 'valueOrEnd' : 'nameOrEnd'
      at += 1
    } else {
      const end = after(scalar, text, at)
      if (end === at) return faultAt(text, at, wanted[state])
      state = afterValue(open)
      at = end
    }
  }
}

const takesName = (state: State): boolean => state === 'name' || state === 'nameOrEnd'

const closes = (character: string, state: State): boolean =>
  character === ']'
    ? state === 'valueOrEnd' || state === 'commaInList'
    : character === '}' && (state === 'nameOrEnd' || state === 'commaInObject')

const afterValue = (open: readonly ('[' | '{')[]): State => {
  const inner = open.at(-1)
  return inner === undefined ? 'end' : inner === '[' ? 'commaInList' : 'commaInObject'
}

/** End of the string that begins at `start`, or the fault in it. */
function endOfText(text: string, start: number): number | JsonFault {
  let at = start + 1
  for (;;) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character === '') return faultAt(text, at, 'a closing double quote')
    if (character < ' ') return faultAt(text, at, 'an escaped character')
    const end = character === '\\' ? after(escapes, text, at) : at + 1
    if (end === at) return faultAt(text, at, 'an escape of JSON')
    at = end
  }
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const shownMax = 12

function faultAt(text: string, offset: number, what: string): JsonFault {
  const { line, column } = placeOf(text, offset)
  const place = `line ${line}, column ${column}`
  const found = /^(?:[\w.+-]+|\\.|.|\s)/u.exec(text.slice(offset, offset + shownMax * 2))?.[0] ?? ''
  const message =
    offset >= text.length
      ? `it ends at ${place}, where ${what} must come.`
      : `${place} has "${quoted(found.replace(/["\\]/g, '\\$&'), shownMax)}" where ${what} must come.`
  return { offset, line, column, message }
}

/** A line ends with LF, CR or both. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const [lf, cr] = [10, 13]
  let line = 1
  let start = 0
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at)
    const ends = code === lf || (code === cr && (at + 1 === offset || text.charCodeAt(at + 1) !== lf))
    if (!ends) continue
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

export function jsonRefusal(text: string, cause: Error): AppError {
  const fault = jsonFault(text.replace(/^\uFEFF/, ''))
  if (fault === undefined) {
    const message = 'The body has a member named "__proto__" or "constructor", which is not accepted.'
    return new AppError('BAD_REQUEST', message, { cause })
  }
  const { line, column, message } = fault
  return new AppError('BAD_REQUEST', `The body is not valid JSON: ${message}`, { cause, extra: { line, column } })
}
