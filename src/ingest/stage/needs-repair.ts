/** Detects bytes that COPY would reject, or that contain what some earlier program broke, marked or escaped. */
import { isAscii, isUtf8 } from 'node:buffer'

/** U+FFFD; line breaks that do not end a record. */
const beyondAscii = ['\ufffd', '\u0085', '\u2028', '\u2029'].map((text) => Buffer.from(text))
/** NUL; `="0123"`, quoted or not; HTML entities; line breaks that do not end a record. */
const anywhere = ['\0', '="', '&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&nbsp;', '&#', '\v', '\f'].map((text) =>
  Buffer.from(text),
)

/** First bytes of the characters that bytes from 0x80 to 0xBF become in ISO-8859-1 and Windows-1252. */
const otherBytes: ReadonlySet<number> = new Set([0xc2, 0xc5, 0xc6, 0xcb, 0xe2])

/** True for bytes that COPY rejects, that contain broken or escaped characters, or cells written as formulas. */
export function needsRepair(bytes: Buffer): boolean {
  if (anywhere.some((pattern) => bytes.includes(pattern))) return true
  if (isAscii(bytes)) return false
  return !isUtf8(bytes) || beyondAscii.some((pattern) => bytes.includes(pattern)) || mayBeDoublyEncoded(bytes)
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
