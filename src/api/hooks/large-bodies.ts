/**
 * Large bodies of one account are read two at a time, because reading and parsing on the event loop blocks everybody
 * else. Further ones of the account queue before a byte is read, and beyond the queue they are refused.
 */
import type { FastifyInstance } from 'fastify'
import { largeBodies } from '../../../config/http-bounds.ts'
import { createGate, isRefused } from '../../limits/gate.ts'
import { refusedBy } from '../../limits/refused-by.ts'

export function readLargeBodiesInTurn(app: FastifyInstance): void {
  const { smallBytesMax, atOnce, waiting } = largeBodies
  const gate = createGate({ places: Number.POSITIVE_INFINITY })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { principal, raw } = request
    const isChunked = raw.headers['transfer-encoding'] !== undefined
    if (!principal || (!isChunked && Number(raw.headers['content-length'] ?? 0) <= smallBytesMax))
      return done(null, payload)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { signal } = gone
    void gate.enter(principal.accountId, { atOnce, waiting }, { signal }).then(
      (entered) => {
        if (isRefused(entered)) return done(tooManyBodies())
        // Its slot is held until the response is sent, or the caller has disconnected.
        if (signal.aborted) return entered()
        signal.addEventListener('abort', entered, { once: true })
        done(null, payload)
      },
      // The caller disconnected while it waited: there is no one to answer.
      () => {},
    )
  })
}

const tooManyBodies = () =>
  refusedBy('largeBodies', 'This account is sending too many large bodies. Send fewer at once.', {
    retryAfterSeconds: 1,
  })
