/**
 * What digits and signs of another script say in ASCII: digits of the scripts of India, of Arabic and Urdu, and every full-width
 * character. For text whose digits are read; names and addresses keep theirs. Twin of ingest.ascii_form.
 */

/** Code points of the zeros: the nine other digits follow each. */
const zeros = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x1c50, 0xabf0, 0x660, 0x6f0] as const
const digits = new Map(
  zeros.flatMap((zero) => Array.from({ length: 10 }, (_, n) => [String.fromCharCode(zero + n), String(n)] as const)),
)
const others = new RegExp(`[${[...digits.keys()].join('')}\uff01-\uff5e]`, 'g')

export const asciiForm = (text: string): string =>
  text.replace(others, (sign) => digits.get(sign) ?? String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
