/**
 * Throttles guessing: after too many wrong keys of an address or of a key prefix within the window, further wrong ones
 * get a 429, and an address that continues for a day is noted as blocked. A right key never gets here. Refused attempts
 * do not count, so waiting helps.
 */
import { loginThrottle } from '../../config/sign-in.ts'
import type { Queryable } from '../db/db.ts'
import { countInTurn } from '../limits/counter.ts'
import { noteAddress } from './blocked-addresses.ts'

/** A failed login: its address and the prefix of the key that it claims; null if it is not shaped like a key. */
export interface Attempt {
  /** In the form of `addressBucket`. */
  readonly address: string
  readonly keyPrefix: string | null
}

/** Attempts of one address or one prefix are serialised, so that parallel guesses cannot bypass the count. */
export async function lockAttempts(tx: Queryable, attempt: Attempt): Promise<void> {
  const ofPrefix = attempt.keyPrefix ? [`login prefix ${attempt.keyPrefix}`] : []
  await countInTurn(tx, [`login address ${attempt.address}`, ...ofPrefix])
}

/** @returns seconds to wait, or 0 if the attempt gets its own error. */
export async function throttleSeconds(tx: Queryable, attempt: Attempt): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>(
    `WITH recent AS (
       SELECT address, key_prefix, failed_at FROM access.login_failure
       WHERE (address = $1 OR (key_prefix = $2 AND $2 <> '')) AND failed_at > now() - make_interval(mins => $3)
     ), tenth AS (
       (SELECT failed_at FROM recent WHERE address = $1 ORDER BY failed_at DESC OFFSET $4 LIMIT 1)
       UNION ALL
       (SELECT failed_at FROM recent WHERE key_prefix = $2 AND $2 <> '' ORDER BY failed_at DESC OFFSET $4 LIMIT 1)
     )
     SELECT coalesce(ceil(extract(epoch FROM max(failed_at) + make_interval(mins => $3) - now())), 0)::integer AS seconds
     FROM tenth`,
    [attempt.address, attempt.keyPrefix ?? '', loginThrottle.windowMinutes, loginThrottle.failuresMax - 1],
  )
  return row?.seconds ?? 0
}

/** Records the failure. @returns the failures of the address within 24 hours, including this one. */
export async function countFailure(tx: Queryable, attempt: Attempt): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(
    `WITH added AS (INSERT INTO access.login_failure (address, key_prefix) VALUES ($1, $2) RETURNING 1)
     SELECT count(*) + (SELECT count(*) FROM added) AS failures FROM access.login_failure
     WHERE address = $1 AND failed_at > now() - interval '24 hours'`,
    [attempt.address, attempt.keyPrefix ?? ''],
  )
  return row?.failures ?? 0
}

/** Records a failed login, and notes an address that continues for a day. */
export async function recordFailure(tx: Queryable, attempt: Attempt): Promise<void> {
  if ((await countFailure(tx, attempt)) >= loginThrottle.failuresPerDayMax) {
    const reason = `${loginThrottle.failuresPerDayMax} failed logins within 24 hours`
    await noteAddress(tx, attempt.address, reason)
  }
}
