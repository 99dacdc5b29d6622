/**
 * What an operator's credential leaves in the database, and what shows there that it was presented: the database has the
 * hash of the proof, the proof is the hash of the credential. So whoever reads all tables can show nothing, and what is
 * shown opens nothing over HTTP.
 */
import { createHash } from 'node:crypto'
import { sha256 } from './api-keys.ts'

/** Hexadecimal; of an operator's token, or of the secret of an operator's browser session. */
export const proofOf = (credential: string): string => sha256(credential).toString('hex')

export const storedProof = (credential: string): Buffer => createHash('sha256').update(sha256(credential)).digest()
