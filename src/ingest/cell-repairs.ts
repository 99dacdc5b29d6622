/**
 * Removes what is not part of a cell's value in any file format: line breaks, and HTML entities. Pure. Applied twice, a
 * repair changes nothing more, except for an escaped entity.
 */

/** Without the tab, which does not break lines. */
const lineBreak = /[\r\n\u0085\u2028\u2029\v\f]/

/**
 * Records of a run are lines, and a value is one line: a break inside a cell becomes a space, along with surrounding
 * blanks.
 */
export function onOneLine(text: string): string {
  if (!lineBreak.test(text)) return text
  return text.replace(/[\s\u0085]+/g, (blanks) => (lineBreak.test(blanks) ? ' ' : blanks))
}

const windows1252 = new TextDecoder('windows-1252')

/** The character of a code between U+0080 and U+009F, where Unicode itself has controls; undefined for any other. */
export function fromWindows1252(code: number): string | undefined {
  if (code < 0x80 || code > 0x9f) return undefined
  const sign = windows1252.decode(Uint8Array.of(code))
  return sign.charCodeAt(0) > 0x9f ? sign : undefined
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
/** In capitals, too: names are often written so as a whole. */
const entity = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{2,6})|#x([0-9a-f]{2,5}));/gi

/** `A &amp; B` is HTML for A & B; text that is not an HTML entity stays. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    entity,
    (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      const meant = fromWindows1252(code)
      if (meant !== undefined) return meant
      const isCharacter =
        code >= 32 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000)
      return isCharacter || code === 9 || code === 10 || code === 13 ? String.fromCodePoint(code) : whole
    },
  )
}
