/**
 * Sends the spans of this process to a collector, over OTLP/HTTP. Off unless an endpoint is set, and the SDK is loaded only then, so
 * that no other process spends time and memory on it.
 */
import { context, propagation, trace } from '@opentelemetry/api'

export interface TracingOptions {
  /** Of the collector, `http://127.0.0.1:4318`; the spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly version: string
  readonly role: string
}

export async function startTracing({ endpoint, version, role }: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core')
  const { href: url } = new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
  const exporter = new OTLPTraceExporter({ url })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `panji-${role}`, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: 5_000 })],
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
