/**
 * Cells of an export that a spreadsheet would run as formulas get an apostrophe before them, which makes them text there
 * and shows. A file that is such an export loses the apostrophes again when it is ingested, so that a cell comes back as
 * it was: those that had apostrophes of their own before a formula get one more.
 */

/** `-5`, `+919820000000`, `+91 98200 00000` and `-1,00,000.00` are numbers to a spreadsheet, and run nothing. */
const isNumber = /^[+-]\d[\d ,.]*$/
/** What begins a formula, in full width too, also behind blanks and what cannot be seen; and what some take for a begin. */
const isFormula = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u

export const guarded = (cell: string): string => (needsGuard(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string): string => (cell.startsWith("'") && needsGuard(cell) ? cell.slice(1) : cell)

/** What cannot be seen is no part of a value: it moves the cursor of a terminal, or turns the order of what is read. */
export const withoutControls = (cell: string): string =>
  cell.replace(/(?![\t\r\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')

function needsGuard(cell: string): boolean {
  const core = cell.replace(/^'+/, '')
  return isFormula.test(core) && !isNumber.test(core)
}
