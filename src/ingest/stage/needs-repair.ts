/** Tells bytes that COPY would refuse, or that hold what some program before us broke or marked. */
import { isUtf8 } from 'node:buffer'

const replacementCharacter = Buffer.from([0xef, 0xbf, 0xbd])
/** The first bytes of UTF-8 that was read as Windows-1252 and encoded again: â€ and Ã. */
const doubleEncoded = [Buffer.from('â€'), Buffer.from('Ã')]

/** `="0123"`, in quotes of its own or not. */
const formula = Buffer.from('="')

/** True for bytes that COPY refuses, that hold broken characters, or cells written as formulas. */
export function needsRepair(bytes: Buffer): boolean {
  return (
    !isUtf8(bytes) ||
    bytes.includes(0) ||
    bytes.includes(replacementCharacter) ||
    bytes.includes(formula) ||
    doubleEncoded.some((pattern) => bytes.includes(pattern))
  )
}
