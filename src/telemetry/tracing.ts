/**
 * Sends the spans of this process to a collector, over OTLP/HTTP. Off unless an endpoint is set. The SDK is a peer that an
 * installation may lack, so that it is loaded here alone, by name, and where it is missing the start says what to install.
 */
import {
  type ContextManager,
  context,
  propagation,
  type TextMapPropagator,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { AppError } from '../errors.ts'

export interface TracingOptions {
  /** Of the collector, `http://127.0.0.1:4318`; the spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly version: string
  readonly role: string
}

interface Sdk {
  readonly TracerProvider: new (options: object) => TracerProvider & { shutdown(): Promise<void> }
  readonly BatchSpanProcessor: new (options: {
    readonly exporter: object
    readonly exportTimeoutMillis: number
  }) => object
}
interface Exporter {
  readonly OTLPTraceExporter: new (options: { readonly url: string }) => object
}
interface Resources {
  resourceFromAttributes(attributes: Readonly<Record<string, string>>): object
}
interface Hooks {
  readonly AsyncLocalStorageContextManager: new () => ContextManager
}
interface Core {
  readonly W3CTraceContextPropagator: new () => TextMapPropagator
}

/** @throws AppError CONFIG_INVALID where the packages are not installed. */
export async function startTracing({ endpoint, version, role }: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const sdk = await load<Sdk>('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await load<Exporter>('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await load<Resources>('@opentelemetry/resources')
  const { AsyncLocalStorageContextManager } = await load<Hooks>('@opentelemetry/context-async-hooks')
  const { W3CTraceContextPropagator } = await load<Core>('@opentelemetry/core')
  const { href: url } = new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
  const exporter = new OTLPTraceExporter({ url })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `panji-${role}`, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: 5_000 })],
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

async function load<T>(name: string): Promise<T> {
  return (await import(name).catch((cause: unknown) => {
    const message = `OTEL_EXPORTER_OTLP_ENDPOINT is set, and ${name} is not installed. Install the peer dependencies of Panji that begin with @opentelemetry/, or unset it.`
    throw new AppError('CONFIG_INVALID', message, { cause })
  })) as T
}
