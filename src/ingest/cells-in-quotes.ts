/**
 * Cells whose quotes stand as RFC 4180 does not set them: with blanks around them (`"a", "b"`), and behind the sign by which programs
 * keep a spreadsheet from reading text as a number (`="0123"`). Pure: text in, cells out.
 */

/** Position of the quote that ends the cell which one at `open` begins, or -1. */
export function closingQuote(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0 || text[quote + 1] !== '"') return quote
    at = quote + 2
  }
}

/** Position behind a cell in quotes that begins at `start`, with the blanks around it; -1 where none begins there, or it does not end. */
export function behindQuoted(text: string, start: number): number {
  const open = openingQuote(text, start)
  const closing = open < 0 ? -1 : closingQuote(text, open)
  return closing < 0 ? -1 : behindBlanks(text, closing + 1)
}

/** The cells of a record; undefined where one that begins with a quote does not end with it. */
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

/** What `="…"` holds; every other cell as it is. */
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
