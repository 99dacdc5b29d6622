/**
 * A real collector, that of ops/otel: it receives OTLP/HTTP and prints each span, which is parsed here. It is not one
 * of our packages: its tests run where PANJI_OTELCOL names it or `otelcol` is on the path; elsewhere they say why they
 * are skipped.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hasTool } from './machine-tool.ts'

const program = process.env['PANJI_OTELCOL'] ?? 'otelcol'
const config = fileURLToPath(new URL('../../ops/otel/collector.yaml', import.meta.url))

export const hasCollector = (): boolean =>
  hasTool(program, 'none, but the sources for ops/otel/build.sh; PANJI_OTELCOL names what it makes')

type Attributes = Readonly<Record<string, string>>

export interface TakenSpan {
  readonly resource: Attributes
  readonly attributes: Attributes
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root span of a trace. */
  readonly parentId: string
  readonly kind: string
  readonly status: string
}

export interface Collector {
  /** Every span received since it started. */
  spans(): readonly TakenSpan[]
  /** Its whole output. */
  printed(): string
  /** It keeps listening but answers nothing, until it is resumed. */
  halt(): void
  goOn(): void
  kill(): Promise<void>
}

/** @param port on this machine. */
export async function startCollector(port: number): Promise<Collector> {
  const child = spawn(program, ['--config', config], { env: { ...process.env, OTLP_ADDRESS: `127.0.0.1:${port}` } })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  await saysReady(child)
  const ended = once(child, 'exit')
  return {
    spans: () => spansIn(printed),
    printed: () => printed,
    halt: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += String(chunk)
      if (said.includes('Everything is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the collector ended with ${code}: ${said}`)))
  })
}

/** A list of spans per resource, as the exporter `debug` prints them. */
function spansIn(printed: string): TakenSpan[] {
  return printed
    .split(/^ResourceSpans #\d+$/m)
    .slice(1)
    .flatMap((part) => {
      const [head = '', ...spans] = part.split(/^Span #\d+$/m)
      return spans.map((span) => spanOf(span, attributesIn(head)))
    })
}

function spanOf(text: string, resource: Attributes): TakenSpan {
  const field = (label: string) => new RegExp(`^ {4}${label} *: (.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  return {
    resource,
    attributes: attributesIn(text),
    name: field('Name'),
    traceId: field('Trace ID'),
    spanId: field('ID'),
    parentId: field('Parent ID'),
    kind: field('Kind'),
    status: field('Status code'),
  }
}

const attributesIn = (text: string): Attributes =>
  Object.fromEntries(
    [...text.matchAll(/^ {5}-> ([\w.]+): \w+\((.*)\)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
