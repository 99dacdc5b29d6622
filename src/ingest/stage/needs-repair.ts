/** Tells bytes that COPY would refuse, or that hold what some program before us broke, marked or escaped. */
import { isAscii, isUtf8 } from 'node:buffer'

/** U+FFFD; the first bytes of UTF-8 that was read as Windows-1252 and encoded again, â€ and Ã; line breaks that end no record. */
const beyondAscii = ['\ufffd', 'â€', 'Ã', '\u0085', '\u2028', '\u2029'].map((text) => Buffer.from(text))
/** NUL; `="0123"`, in quotes of its own or not; entities of HTML; line breaks that end no record. */
const anywhere = ['\0', '="', '&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&nbsp;', '&#', '\v', '\f'].map((text) =>
  Buffer.from(text),
)

/** True for bytes that COPY refuses, that hold broken or escaped characters, or cells written as formulas. */
export function needsRepair(bytes: Buffer): boolean {
  if (anywhere.some((pattern) => bytes.includes(pattern))) return true
  return !isAscii(bytes) && (!isUtf8(bytes) || beyondAscii.some((pattern) => bytes.includes(pattern)))
}
