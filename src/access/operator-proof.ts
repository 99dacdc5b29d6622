/**
 * Proof in the database that an operator's credential was presented: the database has the hash of the proof, and the
 * proof is the hash of the credential. So a reader of all tables can present nothing, and the proof itself cannot be
 * used over HTTP.
 */
import { createHash } from 'node:crypto'
import { sha256 } from './api-keys.ts'

/** Hexadecimal; of an operator's token, or of the secret of an operator's browser session. */
export const proofOf = (credential: string): string => sha256(credential).toString('hex')

export const storedProof = (credential: string): Buffer => createHash('sha256').update(sha256(credential)).digest()
