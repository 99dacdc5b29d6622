/**
 * Sends the spans of this process to a collector, over OTLP/HTTP. Off unless an endpoint is set, and the SDK is loaded
 * only then, so that no other process spends time and memory on it.
 */
import { randomUUID } from 'node:crypto'
import { context, propagation, trace } from '@opentelemetry/api'
import type { Logger } from './log.ts'

/** One export including its retries; a stop is delayed by no more than this. */
const sendMsMax = 5_000

export interface TracingOptions {
  /** URL of the collector, `http://127.0.0.1:4318`; the spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly version: string
  /** The commit, as in `panji_build_info`. */
  readonly build: string
  readonly role: string
  readonly log: Logger
}

export async function startTracing(options: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources')
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core')
  const { reportingExporter } = await import('./reporting-exporter.ts')
  const { endpoint, version, build, role, log } = options
  const { href: url } = new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
  const exporter = reportingExporter(new OTLPTraceExporter({ url, timeoutMillis: sendMsMax }), log)
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': `panji-${role}`,
        'service.version': version,
        'service.instance.id': randomUUID(),
        'panji.build': build,
      }),
    ),
    // The exporter has its own timeout, and must not be abandoned before it.
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: 2 * sendMsMax })],
  })
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    async stop() {
      await provider.shutdown()
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}
