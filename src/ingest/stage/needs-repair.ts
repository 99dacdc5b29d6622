/** Detects bytes that COPY would reject, or that contain what some earlier program broke, marked or escaped. */
import { isAscii, isUtf8 } from 'node:buffer'

/** U+FFFD; line breaks that do not end a record. */
const beyondAscii = ['\ufffd', '\u0085', '\u2028', '\u2029'].map((text) => Buffer.from(text))
/** `="0123"`, quoted or not. */
const formula = Buffer.from('="')
/** NUL and other control characters; only a tab and the two line ends may be part of a record. */
const controls = [...Array(32).keys(), 127].filter((code) => ![9, 10, 13].includes(code))

/** First bytes of the characters that bytes from 0x80 to 0xBF become in ISO-8859-1 and Windows-1252. */
const otherBytes: ReadonlySet<number> = new Set([0xc2, 0xc5, 0xc6, 0xcb, 0xe2])

/** True for bytes that COPY rejects, that contain broken or escaped characters, or cells written as formulas. */
export function needsRepair(bytes: Buffer): boolean {
  if (controls.some((code) => bytes.includes(code)) || bytes.includes(formula) || mayHoldEntity(bytes)) return true
  if (isAscii(bytes)) return false
  return (
    !isUtf8(bytes) ||
    beyondAscii.some((pattern) => bytes.includes(pattern)) ||
    mayBeDoublyEncoded(bytes) ||
    hasControlOfIso(bytes)
  )
}

const ampersand = 38
const entityBegins = /^(?:#|amp;|lt;|gt;|quot;|apos;|nbsp;)/i

/** Whether the bytes may hold an HTML entity. One pass, since few names have an ampersand. */
function mayHoldEntity(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ampersand); at >= 0; at = bytes.indexOf(ampersand, at + 1)) {
    if (entityBegins.test(bytes.toString('latin1', at + 1, at + 6))) return true
  }
  return false
}

/** Whether the bytes hold a character from U+0080 to U+009F. */
function hasControlOfIso(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xc2); at >= 0; at = bytes.indexOf(0xc2, at + 1)) {
    if ((bytes[at + 1] ?? 0xff) < 0xa0) return true
  }
  return false
}

/**
 * Whether a letter from U+00C2 to U+00F4, as UTF-8's first bytes become, precedes a character that a continuation byte
 * becomes.
 */
function mayBeDoublyEncoded(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xc3); at >= 0; at = bytes.indexOf(0xc3, at + 1)) {
    const [letter = 0, next = 0] = bytes.subarray(at + 1, at + 3)
    if (letter >= 0x82 && letter <= 0xb4 && otherBytes.has(next)) return true
  }
  return false
}
