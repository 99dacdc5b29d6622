/**
 * Which tests reach which functions. Every function of the mutated code reports when it is called, and the calls of a
 * test file are written when it ends. A test that never calls the mutated function cannot kill the mutant and is not
 * run.
 */
import { parseSync } from 'oxc-parser'

/** The file of the called functions; a function is named by its file and the start of its body. */
export const callsName = 'panjiMutateCalls'
const nameOf = (path: string, start: number): string => `${path}:${start}`

interface Body {
  readonly start: number
  readonly end: number
  readonly isBlock: boolean
}

function bodiesOf(path: string, source: string): Body[] {
  const found: Body[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, body } = node as { type?: string; body?: { type: string; start: number; end: number } | null }
    if (body && /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type ?? ''))
      found.push({ start: body.start, end: body.end, isBlock: body.type === 'BlockStatement' })
    for (const each of Object.values(node)) visit(each)
  }
  visit(parseSync(path, source).program)
  return found
}

/** @returns the source with reporting functions, on the same lines. */
export function withCallsRecorded(path: string, source: string): string {
  const reportCall = (start: number): string => `globalThis.${callsName}?.add(${JSON.stringify(nameOf(path, start))})`
  const inserts = bodiesOf(path, source).flatMap(({ start, end, isBlock }) =>
    isBlock
      ? [{ at: start + 1, text: `${reportCall(start)};` }]
      : [
          { at: start, text: `(${reportCall(start)}, ` },
          { at: end, text: ')' },
        ],
  )
  let result = source
  for (const { at, text } of inserts.toSorted((a, b) => b.at - a.at))
    result = result.slice(0, at) + text + result.slice(at)
  return result
}

export const hasFunctions = (path: string, source: string): boolean => bodiesOf(path, source).length > 0

/** The innermost function around a position; undefined at the level of the file. */
export function functionAt(path: string, source: string, place: number): string | undefined {
  const within = bodiesOf(path, source).filter(({ start, end }) => start <= place && place < end)
  const innermost = within.toSorted((a, b) => b.start - a.start)[0]
  return innermost && nameOf(path, innermost.start)
}
