/**
 * Recognizes a file that is not a table by its first bytes, with advice for its user: the end of a sentence that says
 * what was expected. A file that only resembles one of these has no header of ours either, so nothing is lost.
 */

/** @returns undefined if the bytes may begin a table. */
export function foreignKind(bytes: Buffer): string | undefined {
  const signed = signs.find(([sign]) => bytes.subarray(0, sign.length).equals(sign))?.[1]
  if (signed !== undefined) return signed
  if (bytes.toString('latin1', 257, 262) === 'ustar') return tar
  const start = bytes.subarray(0, 256).toString('latin1')
  if (/^(?:ï»¿)?\s*<(?:!doctype html|html|head|body|table)\b/i.test(start)) return page
  return /^(?:ï»¿)?\s*<\?xml\b/i.test(start) ? xml : undefined
}

const packed = (name: string) => `it is packed with ${name}, which is not read; unpack it, or pack it with gzip or zip`
const tar = 'it is a tar archive, which is not read; unpack it, or pack its files with zip'
const page =
  'it is a web page, as a server sends it with an error or a login; fetch the file again, or save it as .xlsx where a spreadsheet shows it as a table'
const xml = 'it is an XML document; where a spreadsheet shows it as a table, save it there as .xlsx, or as CSV'

const sign = (hex: string): Buffer => Buffer.from(hex, 'hex')
const signs: readonly (readonly [Buffer, string])[] = [
  [sign('504b0506'), 'it is a zip file that holds nothing'],
  [Buffer.from('%PDF-'), 'it is a PDF; take the table as CSV or a workbook'],
  [Buffer.from('Rar!'), packed('RAR')],
  [sign('377abcaf'), packed('7-Zip')],
  [sign('425a6839'), packed('bzip2')],
  [sign('fd377a58'), packed('xz')],
  [sign('28b52ffd'), packed('zstd')],
]
