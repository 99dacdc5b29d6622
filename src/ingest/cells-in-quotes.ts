/**
 * Cells whose quotes deviate from RFC 4180: with blanks around them (`"a", "b"`), or after the sign that keeps a
 * spreadsheet from reading text as a number (`="0123"`). Pure.
 */

/** Position of the quote that closes the cell opened at `open`, or -1. */
export function closingQuote(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0 || text[quote + 1] !== '"') return quote
    at = quote + 2
  }
}

/** Position after a quoted cell at `start` and its surrounding blanks; -1 if none begins there or it is not closed. */
export function behindQuoted(text: string, start: number): number {
  const open = openingQuote(text, start)
  const closing = open < 0 ? -1 : closingQuote(text, open)
  return closing < 0 ? -1 : behindBlanks(text, closing + 1)
}

/** The cells of a record; undefined if one that begins with a quote does not end with it. */
export function quotedCells(text: string): string[] | undefined {
  const cells: string[] = []
  for (let at = 0; ; ) {
    const isQuoted = openingQuote(text, at) >= 0
    const comma = text.indexOf(',', at)
    const end = isQuoted ? behindQuoted(text, at) : comma < 0 ? text.length : comma
    if (end < 0 || (end < text.length && text[end] !== ',')) return undefined
    const cell = text.slice(at, end)
    cells.push(isQuoted ? withoutQuotes(cell.trim()) : cell)
    if (end === text.length) return cells
    at = end + 1
  }
}

const withoutQuotes = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

/** The content of `="…"`; every other cell unchanged. */
export function withoutFormula(cell: string): string {
  const [, text] = /^\s*="((?:[^"]|"")*)"\s*$/.exec(cell) ?? []
  return text === undefined ? cell : text.replaceAll('""', '"')
}

function openingQuote(text: string, start: number): number {
  const first = behindBlanks(text, start)
  const open = text[first] === '=' ? first + 1 : first
  return text[open] === '"' ? open : -1
}

function behindBlanks(text: string, start: number): number {
  let at = start
  while (text[at] === ' ') at++
  return at
}
