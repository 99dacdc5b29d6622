/**
 * `Idempotency-Key` for routes that opt in with `config: { idempotent: true }`.
 *
 * The first request with a key runs, and its response is stored for 24 hours; the same request again gets that response
 * with `Idempotency-Replayed: true`. Responses of 400 and above are not stored: they wrote nothing, so the key is free.
 * With `idempotent: 'with-effect'` the handler calls `keepAnswerOf` inside its own transaction, which makes effect and
 * response atomic even across a crash.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  keepAnswer,
  releaseClaim,
  renewClaims,
  renewEveryMs,
} from '../../access/idempotency.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { spendBudget } from '../../limits/daily-budget.ts'
import { withholdFromAnswer } from '../../suppression/withhold-leads.ts'
import { errorInstead } from '../error-reply.ts'
import { principalOf } from '../route-context.ts'

interface HeldClaim {
  readonly claim: IdempotencyClaim
  readonly secretKey: Secret
  /** true once the handler stored the response in its own transaction. */
  kept: boolean
}

const heldClaims = new WeakMap<FastifyRequest, HeldClaim>()

/**
 * Stores the reply under the request's key inside the handler's transaction; does nothing without a key. `body` must be
 * what the handler then returns.
 */
export async function keepAnswerOf(tx: Tx, request: FastifyRequest, status: number, body: object): Promise<void> {
  const held = heldClaims.get(request)
  if (!held) return
  await keepAnswer(tx, held.claim, { status, body: JSON.stringify(body) }, held.secretKey)
  held.kept = true
}

export function addIdempotency(app: FastifyInstance, db: Db, secretKey: Secret): void {
  const running = new Map<FastifyRequest, IdempotencyClaim>()
  keepClaims(app, db, running)

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    const { idempotent } = request.routeOptions.config
    if (!idempotent || key === undefined) return
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new AppError('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
    }
    const principal = principalOf(request)
    const result = await claimIdempotencyKey(db, {
      accountId: principal.accountId,
      key,
      secretKey,
      requestSha256: digestOf(request),
      answerWithEffect: idempotent === 'with-effect',
    })
    if (result.kind === 'claimed') {
      heldClaims.set(request, { claim: result.claim, secretKey, kept: false })
      running.set(request, result.claim)
      // If this is refused, the claim is released below as after any failure.
      await spendBudget(db, principal, 'keptAnswers', 1)
      return
    }
    return replay(db, request, reply, result)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const held = heldClaims.get(request)
    if (!held) return payload
    // The handler is done, even if the caller has disconnected.
    running.delete(request)
    if (reply.statusCode >= 400) {
      return releaseClaim(db, held.claim).then(
        () => payload,
        (error: unknown) => errorInstead(error, request, reply),
      )
    }
    if (!held.kept) {
      const answer = { status: reply.statusCode, body: String(payload) }
      await db.transaction((tx) => keepAnswer(tx, held.claim, answer, secretKey))
    }
    return payload
  })
}

/**
 * Renews the claims of long-running requests. A failed round does no harm: if a claim passes to another request, the
 * one that lost it rolls back.
 */
function keepClaims(app: FastifyInstance, db: Db, running: ReadonlyMap<FastifyRequest, IdempotencyClaim>): void {
  let renewing = false
  const timer = setInterval(() => {
    if (renewing || running.size === 0) return
    renewing = true
    renewClaims(db, [...running.values()])
      .catch((error: unknown) => app.log.warn({ err: error }, 'could not renew the claims on Idempotency-Keys'))
      .finally(() => {
        renewing = false
      })
  }, renewEveryMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Uses the validated body: spelling differences in the JSON text are the same request. */
function digestOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()
}

/** Personal records are replayed only as far as they may be shown now. */
async function replay(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: { readonly status: number; readonly body: string },
): Promise<FastifyReply> {
  reply
    .code(answer.status)
    .header('Idempotency-Replayed', 'true')
    .header('Content-Type', 'application/json; charset=utf-8')
  if (!showsPersons(request)) return reply.serializer((text: unknown) => String(text)).send(answer.body)
  const shown = await withholdFromAnswer(db, JSON.parse(answer.body))
  return reply.serializer((body: unknown) => JSON.stringify(body)).send(shown)
}

const showsPersons = ({ routeOptions }: FastifyRequest): boolean => typeof routeOptions.config.audit === 'object'
