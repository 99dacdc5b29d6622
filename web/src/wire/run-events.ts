/**
 * Follows a run by the server's events, and goes on after a cut with the last event that came. Whether events come is told,
 * so that a page can ask on its own where they do not.
 */
import type { components } from '../../../client/api-types.ts'
import { csrfToken } from './csrf.ts'

type Run = components['schemas']['IngestRun']

interface Following {
  readonly signal: AbortSignal
  readonly onRun: (run: Run) => void
  readonly onLive: (isLive: boolean) => void
}

const waitsMs = { first: 1_000, longest: 15_000 } as const

/** Until `signal` says that it is enough: a stream that ended is asked for anew, for its run may be at work still. */
export async function followRun(id: string, { signal, onRun, onLive }: Following): Promise<void> {
  let lastEventId = ''
  let waitMs: number = waitsMs.first
  while (!signal.aborted) {
    const headers = { 'X-CSRF-Token': csrfToken(), ...(lastEventId && { 'Last-Event-ID': lastEventId }) }
    const reply = await fetch(`/admin/ingest/runs/${id}/events`, { headers, signal }).catch(() => undefined)
    // Refused for good: whoever asks for the run itself hears why.
    if (reply && reply.status >= 400 && reply.status < 500 && reply.status !== 429) return
    if (reply?.ok && reply.body) {
      onLive(true)
      waitMs = waitsMs.first
      await readEvents(reply.body, (event) => {
        lastEventId = event.id
        onRun(event.run)
      })
      onLive(false)
    }
    await passed(waitMs, signal)
    waitMs = Math.min(2 * waitMs, waitsMs.longest)
  }
}

interface RunEvent {
  readonly id: string
  readonly run: Run
}

/** To the end of the stream, whether the server ended it or it was cut off. */
async function readEvents(body: ReadableStream<Uint8Array>, tell: (event: RunEvent) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  const cutOff = { done: true, value: '' } as const
  let waiting = ''
  while (true) {
    const { done, value } = await reader.read().catch(() => cutOff)
    if (done) return
    const blocks = (waiting + value).split('\n\n')
    waiting = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id] = /^id: (.*)$/m.exec(block) ?? []
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      if (id !== undefined && data !== undefined) tell({ id, run: JSON.parse(data) as Run })
    }
  }
}

const passed = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
