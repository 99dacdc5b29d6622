/** The results as CSV for a spreadsheet; no cell is read as a formula. */
import { headingOf } from '../filters/words.ts'
import type { Hit } from '../found.ts'

const yes = (is: boolean | undefined): string => (is ? 'yes' : 'no')

export function csvOf(hits: readonly Hit[], columns: readonly string[]): Blob {
  const heads = ['Name', 'Identifier', ...columns.map(headingOf), 'Mobile', 'E-mail', 'Website', 'Owned']
  const rows = hits.map(({ name, id, shown, reach, owned }) => [
    ...[name, id, ...columns.map((field) => plain(shown[field]))],
    ...[yes(reach?.mobile), yes(reach?.email), yes(reach?.website), yes(owned)],
  ])
  const text = [heads, ...rows].map((cells) => cells.map(cell).join(',')).join('\r\n')
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' })
}

const plain = (value: Hit['shown'][string] | undefined): string =>
  Array.isArray(value) ? value.join('; ') : String(value ?? '')

export function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
