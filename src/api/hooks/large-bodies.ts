/**
 * Large bodies of one account are read two at a time: what is read and taken apart on the event loop keeps everybody else
 * waiting. Others of the account wait in line before a byte of theirs is read, and beyond the line they are refused.
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
        // Its place is kept until the answer is sent, or the caller is gone.
        if (signal.aborted) return entered()
        signal.addEventListener('abort', entered, { once: true })
        done(null, payload)
      },
      // The caller went away while it waited: nobody is left to answer.
      () => {},
    )
  })
}

const tooManyBodies = () =>
  refusedBy('largeBodies', 'Too many large bodies of this account are under way. Send fewer at once.', {
    retryAfterSeconds: 1,
  })
