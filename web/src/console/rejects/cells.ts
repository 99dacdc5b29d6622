/** The cells of a refused row as a form begins with them, by why it was refused, and which of them the refusal is about. */
import type { Reject } from './read-rejects.ts'

/**
 * What could be told apart. Where the columns could not, the best guess: members of a broken JSON object by their names, a
 * line whose quotes do not pair up at its separators. Whoever fixes looks at the raw text beside it.
 */
export function cellsOf({ code, raw, cells }: Reject, header: readonly string[]): readonly string[] {
  if (cells !== null) return cells
  return code === 'json_unreadable' ? membersIn(raw, header) : cutAtSeparators(raw, header.length)
}

function membersIn(raw: string, header: readonly string[]): readonly string[] {
  const pairs = raw.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"?|([-\d.]+|true|false))/g)
  const members = new Map([...pairs].map(([, name = '', text, word]) => [name, text ?? word ?? '']))
  return header.map((name) => members.get(name) ?? '')
}

const separators = [',', ';', '\t', '|'] as const

function cutAtSeparators(raw: string, columns: number): readonly string[] {
  const cuts = separators.map((separator) => raw.split(separator))
  const [best = []] = cuts.toSorted((a, b) => Math.abs(a.length - columns) - Math.abs(b.length - columns))
  const bare = best.map((cell) => cell.trim().replace(/^"|"$/g, ''))
  // What is too much stays beside the last column, where somebody sees it.
  const fitting = [...bare.slice(0, columns - 1), bare.slice(columns - 1).join(' ')]
  return Array.from({ length: columns }, (_, index) => fitting[index] ?? '')
}

/** @returns the places that the message quotes the value of, or names; none where it speaks of the row as a whole. */
export function wrongCells(
  { message }: Reject,
  header: readonly string[],
  cells: readonly string[],
): readonly number[] {
  const [, quoted] = /^"([^"]*)"/.exec(message) ?? []
  return header.flatMap((name, index) => {
    const isQuoted = quoted !== undefined && quoted !== '' && cells[index]?.trim() === quoted
    return isQuoted || message.includes(`(${name})`) ? [index] : []
  })
}
