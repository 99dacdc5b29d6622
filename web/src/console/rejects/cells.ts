/**
 * The initial cells of a rejected row in its form, by the reason of the rejection, and which cells the rejection is
 * about.
 */
import type { Reject } from './read-rejects.ts'

/**
 * The cells that could be separated. Where they could not, the best guess: members of a broken JSON object by name, a
 * line with unpaired quotes split at its separators. The raw text is shown next to it.
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
  // Surplus cells are joined to the last column, where they are visible.
  const fitting = [...bare.slice(0, columns - 1), bare.slice(columns - 1).join(' ')]
  return Array.from({ length: columns }, (_, index) => fitting[index] ?? '')
}

/** @returns the indexes of the cells that the message quotes or names; none where it is about the whole row. */
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
