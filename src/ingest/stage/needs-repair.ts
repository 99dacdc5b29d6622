/** Tells bytes that COPY would refuse, or that hold characters which some program before us broke. */
import { isUtf8 } from 'node:buffer'

const replacementCharacter = Buffer.from([0xef, 0xbf, 0xbd])
/** The first bytes of UTF-8 that was read as Windows-1252 and encoded again: â€ and Ã. */
const doubleEncoded = [Buffer.from('â€'), Buffer.from('Ã')]

/** True for bytes that COPY refuses or that hold broken characters. */
export function needsRepair(bytes: Buffer): boolean {
  return (
    !isUtf8(bytes) ||
    bytes.includes(0) ||
    bytes.includes(replacementCharacter) ||
    doubleEncoded.some((pattern) => bytes.includes(pattern))
  )
}
