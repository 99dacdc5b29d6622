/** E-mail addresses and Indian mobile numbers of cells that may hold several. What is none is dropped. */
import { Rejected, textOf } from './texts.ts'

const piecesOf = (cells: readonly (string | undefined)[]) =>
  cells.flatMap((cell) => (textOf(cell) ?? '').split(/[;,]/)).flatMap((piece) => textOf(piece) ?? [])

const emailOf = (text: string): string | null =>
  /^[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(text) ? text.toLowerCase() : null

function mobileOf(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '').replace(/^(?:\+91|91(?=\d{10}$)|0)/, '')
  return /^[6-9]\d{9}$/.test(digits) ? `+91${digits}` : null
}

const all = (read: (text: string) => string | null, cells: readonly (string | undefined)[]): string[] | null => {
  const found = new Set(piecesOf(cells).flatMap((piece) => read(piece) ?? []))
  return found.size === 0 ? null : [...found]
}
export const emailsOf = (cells: readonly (string | undefined)[]) => all(emailOf, cells)
export const mobilesOf = (cells: readonly (string | undefined)[]) => all(mobileOf, cells)

/** An address or a number of a list. */
export function contactValueOf(cell: string | undefined): string {
  const value = emailOf(textOf(cell) ?? '') ?? mobileOf(textOf(cell) ?? '')
  if (value === null) throw new Rejected('identifier_malformed')
  return value
}
