/**
 * Codes of second factors that are tried: ten wrong ones within a quarter of an hour are followed by a pause for whose they are, whom
 * nobody brings there who has not the first factor.
 */
import type { Db, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { countFailure, lockAttempts, throttleSeconds } from './login-throttle.ts'

/**
 * @param of whose codes are counted together.
 * @param wrong what a wrong code is answered with; one that is typed within a session is no reason to end it.
 * @throws AppError LOGIN_THROTTLED, and `wrong`
 */
export async function requireCode(
  db: Db,
  of: string,
  take: (tx: Tx) => Promise<boolean>,
  wrong: 'SECOND_FACTOR_REQUIRED' | 'UNPROCESSABLE' = 'SECOND_FACTOR_REQUIRED',
): Promise<void> {
  const attempt = { address: `totp ${of}`, keyPrefix: null }
  // A refusal is a value in here: the failure that it records must commit.
  const refusal = await db.transaction(async (tx) => {
    await lockAttempts(tx, attempt)
    const seconds = await throttleSeconds(tx, attempt)
    if (seconds > 0) {
      const message = `Too many wrong codes. The next is read in ${seconds} seconds.`
      return refusedBy('wrongKeys', message, { retryAfterSeconds: seconds })
    }
    if (await take(tx)) return undefined
    await countFailure(tx, attempt)
    return new AppError(wrong, 'The code is wrong, or was used already. Send the next one.')
  })
  if (refusal) throw refusal
}
