/**
 * The ASCII form of digits and signs of other scripts: digits of the scripts of India, of Arabic and Urdu, full-width
 * characters, and the dashes and the minus sign that word processors write for a hyphen. For text whose digits are
 * parsed; names and addresses keep theirs. SQL twin: ingest.ascii_form.
 */

/** Code points of the zeros; the other nine digits follow each. */
const zeros = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x1c50, 0xabf0, 0x660, 0x6f0] as const
const others =
  /[\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u1c50-\u1c59\uabf0-\uabf9\u0660-\u0669\u06f0-\u06f9\uff01-\uff5e\u2010-\u2015\u2212]/g
const fullWidth = 0xfee0

export const asciiForm = (text: string): string =>
  text.replace(others, (sign) => {
    const code = sign.charCodeAt(0)
    if (code >= 0x2010 && code <= 0x2212) return '-'
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? String.fromCharCode(code - fullWidth) : String(code - zero)
  })
