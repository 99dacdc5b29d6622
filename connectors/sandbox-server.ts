/**
 * One local HTTP server for all sandbox CRMs. `/salesforce/…` and the like go to the sandbox of that name, `/control/…`
 * shows what they hold and scripts their failures. State lives as long as the process; with `snapshotFile` it is
 * written atomically at closing and after quiet moments, and read at the next start.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Sandbox, SandboxFault } from './sandbox-contract.ts'

export interface SandboxServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Keeps the state of sandboxes that can be restored. */
  readonly snapshotFile?: string
}

export interface RunningSandboxes {
  baseUrl(crm: string): string
  /** What `destination add` takes. */
  settings(crm: string): Readonly<Record<string, unknown>>
  readonly controlUrl: string
  close(): Promise<void>
}

const bodyBytesMax = 64 * 1024
const saveAfterMs = 500

const Fault = z.strictObject({
  crm: z.string(),
  kind: z.enum([
    'status',
    'rate_limit',
    'daily_limit',
    'timeout',
    'timeout_after_commit',
    'reset',
    'reset_after_commit',
    'omit_rows',
    'expire_token',
  ]),
  match: z.string().optional(),
  times: z.number().int().positive().optional(),
  status: z.number().int().min(100).max(599).optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

export async function startSandboxes(
  sandboxes: readonly Sandbox[],
  options: SandboxServerOptions,
): Promise<RunningSandboxes> {
  const byName = new Map(sandboxes.map((sandbox) => [sandbox.crm, sandbox]))
  const { snapshotFile } = options
  if (snapshotFile !== undefined) await restore(sandboxes, snapshotFile)
  let saving: NodeJS.Timeout | undefined
  let saved: Promise<void> = Promise.resolve()
  const saveSoon = () => {
    if (snapshotFile === undefined) return
    saving ??= setTimeout(() => {
      saving = undefined
      // Writes follow one another; a failed one is repeated at the next change and reported at close.
      saved = saved.catch(() => {}).then(() => save(sandboxes, snapshotFile))
      saved.catch(() => {})
    }, saveAfterMs)
  }

  const server = createServer((request, response) => {
    answer(byName, request, response).then(saveSoon, (error: unknown) => {
      if (response.headersSent) response.destroy()
      else reply(response, 500, { error: error instanceof Error ? error.message : String(error) })
    })
  })
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  const origin = `http://${host}:${port}`
  const sandboxOf = (crm: string) => {
    const sandbox = byName.get(crm)
    if (!sandbox) throw new Error(`there is no sandbox named ${crm}`)
    return sandbox
  }
  return {
    baseUrl: (crm) => `${origin}/${sandboxOf(crm).crm}`,
    settings: (crm) => sandboxOf(crm).settings(`${origin}/${crm}`),
    controlUrl: `${origin}/control`,
    async close() {
      clearTimeout(saving)
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Calls that a timeout fault left hanging would keep the server open for ever.
      server.closeAllConnections()
      await closed
      await saved.catch(() => {})
      if (snapshotFile !== undefined) await save(sandboxes, snapshotFile)
    },
  }
}

async function listen(server: Server, { host, port }: SandboxServerOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function answer(
  byName: ReadonlyMap<string, Sandbox>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const [, first = ''] = url.pathname.split('/')
  if (first === 'control') {
    const { status, body } = await control(byName, request, url)
    return reply(response, status, body)
  }
  const sandbox = byName.get(first)
  if (!sandbox)
    return reply(response, 404, { error: `unknown path; try /${[...byName.keys(), 'control'].join(', /')}` })
  request.url = `${url.pathname.slice(first.length + 1) || '/'}${url.search}`
  await sandbox.handle(request, response)
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

async function control(byName: ReadonlyMap<string, Sandbox>, request: IncomingMessage, url: URL): Promise<Reply> {
  const unknownCrm = { status: 400, body: { error: `crm must be one of: ${[...byName.keys()].join(', ')}` } }
  const sandbox = byName.get(url.searchParams.get('crm') ?? '')
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /control/records':
      return sandbox ? { status: 200, body: sandbox.records() } : unknownCrm
    case 'GET /control/settings':
      // Those of a running instance, for whoever adds a destination of their own.
      return sandbox
        ? { status: 200, body: sandbox.settings(`http://${request.headers.host ?? url.host}/${sandbox.crm}`) }
        : unknownCrm
    case 'GET /control/calls':
      return sandbox ? { status: 200, body: sandbox.calls() } : unknownCrm
    case 'POST /control/reset':
      for (const each of byName.values()) each.reset()
      return { status: 200, body: { reset: [...byName.keys()] } }
    case 'POST /control/faults': {
      const text = await readBody(request)
      if (text === null) return { status: 413, body: { error: `the body is larger than ${bodyBytesMax} bytes` } }
      const parsed = Fault.safeParse(parseJson(text))
      if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } }
      const { crm, ...given } = parsed.data
      const present = Object.entries(given).filter(([, value]) => value !== undefined)
      const fault = Object.fromEntries(present) as unknown as SandboxFault
      byName.get(crm)?.addFault(fault)
      return byName.has(crm) ? { status: 201, body: { crm, fault } } : unknownCrm
    }
    default:
      return { status: 404, body: { error: 'GET records?crm=, GET calls?crm=, POST faults, POST reset' } }
  }
}

/** @returns null when the body is larger than the bound. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  return bytes > bodyBytesMax ? null : Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

async function save(sandboxes: readonly Sandbox[], file: string): Promise<void> {
  const states = sandboxes.filter((sandbox) => sandbox.snapshot).map((sandbox) => [sandbox.crm, sandbox.snapshot?.()])
  await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(states)), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function restore(sandboxes: readonly Sandbox[], file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const states = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  for (const sandbox of sandboxes) {
    if (states[sandbox.crm] !== undefined) sandbox.restore?.(states[sandbox.crm])
  }
}
