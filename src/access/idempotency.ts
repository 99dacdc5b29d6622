/**
 * Idempotency keys: a request claims its key, and the response is stored with it for 24 hours.
 *
 * The claim is one insert, so of N parallel requests with one key exactly one runs. Where effect and response are
 * stored in one transaction, a claim is a lease of seconds that its process renews while the request runs: a request
 * that died without a response frees its key within seconds, and the claim ID fences it off if it wakes up. Elsewhere
 * the effect may have happened, so the claim stays.
 *
 * Responses contain what was ordered, including mobile numbers: they are sealed under a key derived from
 * PANJI_SECRET_KEY.
 */
import { randomUUID } from 'node:crypto'
import { retention } from '../../config/retention.ts'
import type { Queryable, Tx } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { sealingKey } from '../secrets/canary.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { keptAnswerColumn } from '../secrets/sealed-columns.ts'

export interface IdempotencyClaim {
  readonly accountId: string
  readonly key: string
  readonly claimId: string
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }

export interface ClaimRequest {
  readonly accountId: string
  readonly key: string
  /** Digest of method, path and body: the same key with another request is refused. */
  readonly requestSha256: Buffer
  /** The handler stores its response inside the transaction of its effect. */
  readonly answerWithEffect: boolean
  readonly secretKey: Secret
}

/** How long the key of a dead request is held; `renewClaims` runs several times within it. */
const leaseSeconds = 3
export const renewEveryMs = 1_000

const useOf = ({ accountId, key }: Pick<ClaimRequest, 'accountId' | 'key'>) => ({
  purpose: keptAnswerColumn.purpose,
  boundTo: `${accountId}|${key}`,
})

/**
 * @returns the claim, or the response to an earlier request with this key. @throws AppError IDEMPOTENCY_MISMATCH,
 * IDEMPOTENCY_IN_PROGRESS, or CONFLICT for a response that can no longer be opened.
 */
export async function claimIdempotencyKey(db: Queryable, request: ClaimRequest): Promise<ClaimResult> {
  const claimId = randomUUID()
  // Takes the key if it is new, its response is past retention, or its request can no longer be running.
  const claimed = await db.execute(
    `INSERT INTO access.idempotency AS i (account_id, key, request_sha256, claim_id, held_until)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $6))
     ON CONFLICT (account_id, key) DO UPDATE
       SET request_sha256 = excluded.request_sha256, claim_id = excluded.claim_id,
           status = NULL, sealed = NULL, created_at = now(), held_until = excluded.held_until
       WHERE i.created_at < now() - $7::interval
          OR ($5 AND i.status IS NULL
              AND (i.held_until < now() OR i.created_at < now() - interval '5 minutes'))`,
    [
      request.accountId,
      request.key,
      request.requestSha256,
      claimId,
      request.answerWithEffect,
      leaseSeconds,
      retention.idempotentAnswers,
    ],
  )
  if (claimed > 0) return { kind: 'claimed', claim: { accountId: request.accountId, key: request.key, claimId } }

  const [held] = await db.query<HeldAnswer>(
    `SELECT request_sha256 AS "requestSha256", status, sealed FROM access.idempotency
     WHERE account_id = $1 AND key = $2`,
    [request.accountId, request.key],
  )
  if (held && !held.requestSha256.equals(request.requestSha256)) {
    throw new AppError(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used before with another request. Use a new key.',
    )
  }
  // No row: the first request failed and released its key between our two statements.
  if (!held || held.status === null) {
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running.', {
      retry: 'later',
      retryAfterSeconds: 1,
    })
  }
  const body = held.sealed === null ? '' : unseal(held.sealed, useOf(request), request.secretKey)
  if (body === undefined) {
    throw new AppError(
      'CONFLICT',
      'This request was answered before, but its response can no longer be opened. Check what it created; nothing was done again.',
    )
  }
  return { kind: 'answered', status: held.status, body }
}

interface HeldAnswer {
  readonly requestSha256: Buffer
  readonly status: number | null
  readonly sealed: Buffer | null
}

/**
 * Stores the response under the key. Inside the transaction of the request's effect it makes both atomic: a repeat
 * after a crash gets the response, or runs a request that left nothing behind.
 *
 * @throws AppError IDEMPOTENCY_IN_PROGRESS if the claim has passed to a later request, SECRET_KEY_WRONG; the caller
 * rolls back.
 */
export async function keepAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  answer: { readonly status: number; readonly body: string },
  secretKey: Secret,
): Promise<void> {
  // The canary before the row, in the lock order of a rotation.
  const sealed = seal(answer.body, useOf(claim), await sealingKey(tx, secretKey))
  const kept = await tx.execute(
    `UPDATE access.idempotency SET status = $4, sealed = $5
     WHERE account_id = $1 AND key = $2 AND claim_id = $3`,
    [claim.accountId, claim.key, claim.claimId, answer.status, sealed],
  )
  if (kept === 0) {
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', 'Another request with this Idempotency-Key took over.', {
      retry: 'later',
      retryAfterSeconds: 1,
    })
  }
}

/** Extends the claims of running requests; claims that passed to other requests are not touched. */
export async function renewClaims(db: Queryable, claims: readonly IdempotencyClaim[]): Promise<void> {
  await db.execute(
    `UPDATE access.idempotency AS i SET held_until = now() + make_interval(secs => $4)
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS held (account_id, key, claim_id)
     WHERE i.account_id = held.account_id AND i.key = held.key AND i.claim_id = held.claim_id AND i.status IS NULL`,
    [
      claims.map(({ accountId }) => accountId),
      claims.map(({ key }) => key),
      claims.map(({ claimId }) => claimId),
      leaseSeconds,
    ],
  )
}

/** Releases the key after a failure that wrote nothing, so that the fixed request may use it again. */
export async function releaseClaim(db: Queryable, claim: IdempotencyClaim): Promise<void> {
  await db.execute(
    `DELETE FROM access.idempotency WHERE account_id = $1 AND key = $2 AND claim_id = $3 AND status IS NULL`,
    [claim.accountId, claim.key, claim.claimId],
  )
}
