/**
 * Cleans text of a register for CRMs, spreadsheets and terminals: invisible characters are not part of a value. Pure
 * and idempotent.
 */
const controls = /[\p{Cc}\u2028\u2029]+/gu
/** Marks that change the reading order, and zero-width characters. */
const formats = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu
/** The two joiners affect how syllables of Indian scripts are written; elsewhere they only hide. */
const strayJoiner =
  /(?<!\p{M}|(?!\p{Script=Latin})\p{L})[\u200c\u200d]+|[\u200c\u200d]+(?!\p{M}|(?!\p{Script=Latin})\p{L})/gu

/** A single line without control characters, and without leading, trailing or repeated blanks. */
export function visibleLine(text: string): string {
  return text.replace(controls, ' ').replace(formats, '').replace(strayJoiner, '').replace(/\s+/gu, ' ').trim()
}

/**
 * The same for addresses and numbers, in which joiners have no meaning; line breaks are kept, since they separate
 * several.
 */
export const visibleSigns = (text: string): string =>
  text
    .replace(controls, (run) => (/^\t+$/.test(run) ? ' ' : '\n'))
    .replace(formats, '')
    .replace(/[\u200c\u200d]/g, '')
