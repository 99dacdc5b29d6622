/**
 * Long-lived responses: server-sent events of something that changes while a client watches. A stream ends when what it
 * watches rests, after its maximum time, with the server, or with its reader. Each event is the whole state, so a
 * reader that was cut off reconnects with the ID of the last event and has missed nothing that is still true.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { eventStreamBounds } from '../../config/http-bounds.ts'
import { createGate, isRefused } from '../limits/gate.ts'
import { refusedBy } from '../limits/refused-by.ts'

export type EventStreamBounds = { readonly [bound in keyof typeof eventStreamBounds]: number }

export interface Watched {
  readonly event: string
  readonly data: object
  /** Nothing of it will change any more. */
  readonly rests: boolean
}

export interface Watching {
  /** Credential whose streams are counted. */
  readonly credential: string
  readonly lastEventId?: string | undefined
  readonly look: () => Promise<Watched>
}

export interface EventStreams {
  /** @throws AppError TOO_MANY_CONCURRENT, and any error of the first read. */
  open(watching: Watching): Promise<Readable>
  close(): void
}

export function createEventStreams(bounds: EventStreamBounds = eventStreamBounds): EventStreams {
  const gate = createGate({ places: bounds.inAll })
  const closing = new AbortController()

  async function* textOf({ lastEventId, look }: Watching, first: Watched): AsyncGenerator<string> {
    const until = performance.now() + bounds.longestMs
    let sentId = lastEventId
    let sentAt = performance.now()
    let seen = first
    // How long a reader waits before it reconnects.
    yield 'retry: 1000\n\n'
    while (true) {
      const id = idOf(seen)
      const isNews = id !== sentId
      const isQuiet = performance.now() - sentAt >= bounds.quietMs
      if (isNews) yield `event: ${seen.event}\nid: ${id}\ndata: ${JSON.stringify(seen.data)}\n\n`
      else if (isQuiet) yield ': still here\n\n'
      if (isNews || isQuiet) sentAt = performance.now()
      sentId = id
      if (seen.rests || performance.now() >= until || closing.signal.aborted) return
      await delay(bounds.lookMs, undefined, { signal: closing.signal }).catch(() => {})
      seen = await look()
    }
  }

  return {
    async open(watching) {
      const first = await watching.look()
      const entered = gate.tryEnter(watching.credential, { atOnce: bounds.perCredential })
      if (isRefused(entered))
        throw refusedBy('eventStreams', 'Too many event streams are open.', { retryAfterSeconds: 5 })
      const stream = Readable.from(textOf(watching, first), { objectMode: false })
      // However it ends, even if nothing was ever read from it.
      stream.once('close', entered)
      return stream
    },
    close: () => closing.abort(),
  }
}

const idOf = ({ data }: Watched): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22)
