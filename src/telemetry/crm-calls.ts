/**
 * Calls to CRMs, which connectors publish on a Node diagnostics channel: a connector knows nothing of Panji, so anyone
 * who wants to measure or trace its calls subscribes. The name and the message are those of connectors/crm-network.ts.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import type { Logger } from './log.ts'
import { crmCallSeconds } from './measured.ts'
import { crmSpan, type OpenSpan } from './spans.ts'

export interface AnnouncedCall {
  readonly crm: string
  readonly method: string
  readonly host: string
  /** Set once there is a response. */
  readonly result?: { readonly status: number }
  readonly error?: unknown
}

const crmCalls = tracingChannel<unknown, AnnouncedCall>('panji:crm-call')

const startedAt = new WeakMap<AnnouncedCall, number>()
const spanOf = new WeakMap<AnnouncedCall, OpenSpan>()
const secondsSince = (call: AnnouncedCall) => (performance.now() - (startedAt.get(call) ?? performance.now())) / 1000

const ignored = { start() {}, end() {}, asyncStart() {}, asyncEnd() {}, error() {} }

/** Once per process, as this file is loaded. */
crmCalls.subscribe({
  ...ignored,
  start(call) {
    startedAt.set(call, performance.now())
    spanOf.set(call, crmSpan(call.crm, call.method, call.host))
  },
  asyncEnd(call) {
    const status = call.result === undefined ? 'none' : `${Math.floor(call.result.status / 100)}xx`
    crmCallSeconds.observe({ crm: call.crm, status }, secondsSince(call))
    const { result } = call
    spanOf.get(call)?.end({
      failed: result === undefined || result.status >= 400,
      ...(result && { attributes: { 'http.response.status_code': result.status } }),
    })
  },
})

/** One log line per call to a CRM: failed ones at info, the others at debug. @returns a function that ends it. */
export function logCrmCalls(log: Logger): () => void {
  const subscriber = {
    ...ignored,
    asyncEnd(call: AnnouncedCall) {
      const { crm, method, host, result, error } = call
      const level = result !== undefined && result.status < 400 ? 'debug' : 'info'
      const ms = Math.round(secondsSince(call) * 1000)
      const why = error instanceof Error ? { why: error.message } : {}
      log[level]({ crm, method, host, status: result?.status ?? null, ms, ...why }, 'CRM called')
    },
  }
  crmCalls.subscribe(subscriber)
  return () => void crmCalls.unsubscribe(subscriber)
}
