/**
 * Limits attempts at second-factor codes: after ten wrong ones within a quarter of an hour the holder is paused. Only
 * someone with the first factor can cause that.
 */
import type { Db, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { countFailure, lockAttempts, throttleSeconds } from './login-throttle.ts'

/**
 * @param of the holder whose attempts are counted together. @param wrong the error for a wrong code; one entered within
 * a session must not end it. @throws AppError LOGIN_THROTTLED, and `wrong`
 */
export async function requireCode(
  db: Db,
  of: string,
  take: (tx: Tx) => Promise<boolean>,
  wrong: 'SECOND_FACTOR_REQUIRED' | 'UNPROCESSABLE' = 'SECOND_FACTOR_REQUIRED',
): Promise<void> {
  const attempt = { address: `totp ${of}`, keyPrefix: null }
  // The refusal is a value in here, because the failure that it records must commit.
  const refusal = await db.transaction(async (tx) => {
    await lockAttempts(tx, attempt)
    const seconds = await throttleSeconds(tx, attempt)
    if (seconds > 0) {
      const message = `Too many wrong codes. Try again in ${seconds} seconds.`
      return refusedBy('wrongKeys', message, { retryAfterSeconds: seconds })
    }
    if (await take(tx)) return undefined
    await countFailure(tx, attempt)
    return new AppError(wrong, 'The code is wrong, or was already used. Send the next one.')
  })
  if (refusal) throw refusal
}
