/**
 * Calls to CRMs as connectors announce them on a channel of Node's: a connector knows nothing of Panji, so that whoever wants to
 * measure or trace its calls listens. The name and the message are those of connectors/crm-network.ts.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import { crmCallSeconds } from './measured.ts'

export interface AnnouncedCall {
  readonly crm: string
  readonly method: string
  readonly host: string
  /** Of the answer, once it has come. */
  readonly result?: { readonly status: number }
}

export const crmCalls = tracingChannel<unknown, AnnouncedCall>('panji:crm-call')

const startedAt = new WeakMap<AnnouncedCall, number>()

/** Once for a process, as this file is loaded. */
crmCalls.subscribe({
  start: (call) => void startedAt.set(call, performance.now()),
  end: () => {},
  asyncStart: () => {},
  asyncEnd(call) {
    const seconds = (performance.now() - (startedAt.get(call) ?? performance.now())) / 1000
    const status = call.result === undefined ? 'none' : `${Math.floor(call.result.status / 100)}xx`
    crmCallSeconds.observe({ crm: call.crm, status }, seconds)
  },
  error: () => {},
})
