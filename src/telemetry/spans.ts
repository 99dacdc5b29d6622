/**
 * Work as OpenTelemetry spans: a call, the jobs that it enqueues, and their calls to CRMs are one trace. Without a
 * provider, which tracing.ts registers if traces are wanted, all of this does nothing. Names and attributes are
 * patterns and names of ours, never identifiers of a record or a person.
 */

import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { originNow } from './request-origin.ts'

const tracer = () => trace.getTracer('panji')

export interface OpenSpan {
  /** Runs `work` within the span. */
  within<T>(work: () => T): T
  end(ended: { readonly failed: boolean; readonly attributes?: Attributes }): void
}

/** @param parent `traceparent` of W3C; without one a new trace starts. */
function open(name: string, kind: SpanKind, attributes: Attributes, parent = context.active()): OpenSpan {
  const requestId = originNow()?.requestId
  const all = { ...attributes, ...(requestId === undefined ? {} : { 'panji.request_id': requestId }) }
  const span: Span = tracer().startSpan(name, { kind, attributes: all }, parent)
  const own = trace.setSpan(parent, span)
  return {
    within: (work) => context.with(own, work),
    end({ failed, attributes: added = {} }) {
      span.setAttributes(added)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

const remoteContext = (traceparent: string | undefined) =>
  traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent })

/** The parent for a job or another process, from the current span; undefined without one. */
export function traceparentNow(): string | undefined {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier['traceparent']
}

/** A call that this process answers. @param traceparent as its caller sent it. */
export const callSpan = (method: string, route: string, traceparent: string | undefined): OpenSpan =>
  open(
    `${method} ${route}`,
    SpanKind.SERVER,
    { 'http.request.method': method, 'http.route': route },
    remoteContext(traceparent),
  )

/** One attempt at a job. */
export const jobSpan = (queue: string, jobId: string, attempt: number, traceparent: string | undefined): OpenSpan =>
  open(
    `process ${queue}`,
    SpanKind.CONSUMER,
    {
      'messaging.system': 'pg-boss',
      'messaging.operation.name': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': jobId,
      'panji.attempt': attempt,
    },
    remoteContext(traceparent),
  )

/** A call to a CRM, as a child of the current span. */
export const crmSpan = (crm: string, method: string, host: string): OpenSpan =>
  open(`${method} ${crm}`, SpanKind.CLIENT, { 'http.request.method': method, 'server.address': host, 'panji.crm': crm })
