/**
 * Follows a run by server-sent events, and resumes after an interruption from the last event. It reports whether events
 * arrive, so that a page can poll where they do not.
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

/** Until `signal` aborts: an ended stream is opened again, because the run may still be active. */
export async function followRun(id: string, { signal, onRun, onLive }: Following): Promise<void> {
  let lastEventId = ''
  let waitMs: number = waitsMs.first
  while (!signal.aborted) {
    const headers = { 'X-CSRF-Token': csrfToken(), ...(lastEventId && { 'Last-Event-ID': lastEventId }) }
    const reply = await fetch(`/admin/ingest/runs/${id}/events`, { headers, signal }).catch(() => undefined)
    // Refused for good: reading the run itself reports why.
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

/** Reads the stream to its end, whether the server closed it or it was interrupted. */
async function readEvents(body: ReadableStream<Uint8Array>, emit: (event: RunEvent) => void): Promise<void> {
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
      if (id !== undefined && data !== undefined) emit({ id, run: JSON.parse(data) as Run })
    }
  }
}

const passed = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
