/**
 * Codes of the link that a start prints: each signs one newcomer in, once, within a quarter of an hour, as the owner whom
 * the environment names first. Stored hashed. Two who come with the same code at the same time are one: the row is taken.
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

/** @throws AppError OPERATOR_TOKEN_REQUIRED for a code that is unknown, was used, or has had its time. */
export async function takeConsoleCode(tx: Queryable, code: string): Promise<void> {
  const taken = await tx.query(
    `UPDATE access.console_code SET used_at = now()
     WHERE code_sha256 = $1 AND used_at IS NULL AND expires_at > now() RETURNING 1`,
    [sha256(code)],
  )
  if (taken.length === 0) throw codeRefused()
}

export const codeRefused = (): AppError =>
  new AppError(
    'OPERATOR_TOKEN_REQUIRED',
    'This link was used, or has had its time. Sign in with an operator token, or start Panji again for another link.',
  )
