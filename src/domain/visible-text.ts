/**
 * Text of a register goes in, text that a CRM, a spreadsheet and a terminal show as it is comes out: what cannot be seen
 * is no part of a value. Pure; applied to its own result it changes nothing.
 */
const controls = /[\p{Cc}\u2028\u2029]+/gu
/** Marks that turn the order of what is read, and characters without width. */
const formats = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu
/** The two joiners decide how a syllable of Indian scripts is written; elsewhere they only hide. */
const strayJoiner =
  /(?<!\p{M}|(?!\p{Script=Latin})\p{L})[\u200c\u200d]+|[\u200c\u200d]+(?!\p{M}|(?!\p{Script=Latin})\p{L})/gu

/** One line without controls and without blanks at its ends or in rows. */
export function visibleLine(text: string): string {
  return text.replace(controls, ' ').replace(formats, '').replace(strayJoiner, '').replace(/\s+/gu, ' ').trim()
}

/** The same of an address or a number, where no joiner has a meaning; line breaks stay, since they part several. */
export const visibleSigns = (text: string): string =>
  text
    .replace(controls, (run) => (/^\t+$/.test(run) ? ' ' : '\n'))
    .replace(formats, '')
    .replace(/[\u200c\u200d]/g, '')
