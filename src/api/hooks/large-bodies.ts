/**
 * Large bodies of one account are read two at a time: what is read and taken apart on the event loop keeps everybody else
 * waiting. Others of the account wait in line before a byte of theirs is read, and beyond the line they are refused.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

const smallBytesMax = 65_536
const placesMax = 2
const waitingMax = 16

interface Line {
  taken: number
  readonly waiting: (() => void)[]
}

export function readLargeBodiesInTurn(app: FastifyInstance): void {
  const lines = new Map<string, Line>()

  function leave(accountId: string, line: Line): void {
    const next = line.waiting.shift()
    if (next) next()
    else line.taken -= 1
    if (line.taken === 0) lines.delete(accountId)
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { principal, raw } = request
    const isChunked = raw.headers['transfer-encoding'] !== undefined
    if (!principal || (!isChunked && Number(raw.headers['content-length'] ?? 0) <= smallBytesMax))
      return done(null, payload)
    const { accountId } = principal
    const line = lines.get(accountId) ?? { taken: 0, waiting: [] }
    lines.set(accountId, line)
    if (line.taken >= placesMax && line.waiting.length >= waitingMax) {
      const message = 'Too many large bodies of this account are under way. Send fewer at once.'
      return done(new AppError('TOO_MANY_CONCURRENT', message, { retryAfterSeconds: 1 }))
    }
    let isGone = false
    const begin = () => {
      if (isGone) return leave(accountId, line)
      // Its place is kept until the answer is sent, or the caller is gone.
      reply.raw.once('close', () => leave(accountId, line))
      done(null, payload)
    }
    if (line.taken < placesMax) {
      line.taken += 1
      return begin()
    }
    reply.raw.once('close', () => {
      isGone = true
    })
    line.waiting.push(begin)
  })
}
