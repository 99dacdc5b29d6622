/**
 * Cells of an export that a spreadsheet would run as formulas get an apostrophe in front, which makes them text.
 * Importing such an export removes the apostrophe again, so that a cell keeps its value; a cell that already had an
 * apostrophe before a formula gets another.
 */

/** `-5`, `+919820000000`, `+91 98200 00000` and `-1,00,000.00` are numbers to a spreadsheet and run nothing. */
const isNumber = /^[+-]\d[\d ,.]*$/
/**
 * Starts of formulas, also full-width and after blanks or invisible characters; tabs and line breaks, which some
 * programs take for one.
 */
const isFormula = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u

export const guarded = (cell: string): string => (needsGuard(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string): string => (cell.startsWith("'") && needsGuard(cell) ? cell.slice(1) : cell)

/** Removes invisible characters, which could move a terminal's cursor or change the reading order. */
export const withoutControls = (cell: string): string =>
  cell.replace(/(?![\t\r\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')

function needsGuard(cell: string): boolean {
  const core = cell.replace(/^'+/, '')
  return isFormula.test(core) && !isNumber.test(core)
}
