/**
 * Codes of the link that `start` prints: each signs a person in once, within a quarter of an hour, as the first owner
 * of the environment. Stored hashed. If two use the same code at the same time, only one gets in: the row is taken.
 */
import { randomBytes } from 'node:crypto'
import { consoleCodeMinutes } from '../../config/sign-in.ts'
import type { Queryable } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { sha256 } from './api-keys.ts'

const codeShape = /^[\w-]{43}$/
export const isConsoleCodeShaped = (text: string): boolean => codeShape.test(text)

/** @returns the code, which cannot be read again. */
export async function issueConsoleCode(tx: Queryable): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await tx.execute(
    'INSERT INTO access.console_code (code_sha256, expires_at) VALUES ($1, now() + make_interval(mins => $2))',
    [sha256(code), consoleCodeMinutes],
  )
  return code
}

/** @throws AppError OPERATOR_TOKEN_REQUIRED for a code that is unknown, already used or expired. */
export async function takeConsoleCode(tx: Queryable, code: string): Promise<void> {
  const used = await tx.query(
    `UPDATE access.console_code SET used_at = now()
     WHERE code_sha256 = $1 AND used_at IS NULL AND expires_at > now() RETURNING 1`,
    [sha256(code)],
  )
  if (used.length === 0) throw codeRefused()
}

export const codeRefused = (): AppError =>
  new AppError(
    'OPERATOR_TOKEN_REQUIRED',
    'This link was already used or has expired. Sign in with an operator token, or start Panji again for a new link.',
  )
