/**
 * One local HTTP server for all sandbox CRMs. `/salesforce/…` and the like go to the sandbox of that name;
 * `/control/…` shows their records and scripts their failures, with the token; and `/pages` shows the same to people.
 * It only listens on loopback and only answers requests with its own host name, so that no web page can read it
 * through DNS rebinding. State lives as long as the process; with `snapshotFile` it is written atomically on closing
 * and when calls pause, and read at the next start.
 */
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Sandbox } from './contract.ts'
import { type Control, controlOf } from './control.ts'
import { writeAnswer } from './kit.ts'
import { writeSandboxPage } from './page.ts'
import { pagesUrl, recordUrl } from './pages/authenticator.ts'
import { SandboxPages } from './pages/pages.ts'
import { issuePass, newSandboxKey, proofOf, proofPath } from './pass.ts'

export interface SandboxServerOptions {
  /** 0 picks a free port. */
  readonly port: number
  /** Stores the state of sandboxes that support it, and the secrets of settings issued by an earlier start. */
  readonly snapshotFile?: string
}

export interface RunningSandboxes {
  /** Names of the CRM sandboxes. */
  readonly crms: readonly string[]
  /** Name of the payment sandbox. */
  readonly processor: string | undefined
  baseUrl(crm: string): string
  /** Settings for `destination add`. */
  settings(crm: string): Readonly<Record<string, unknown>>
  readonly controlUrl: string
  /** @returns the address of the pages with a pass for one browser, valid once and for a minute. */
  pagesUrl(): string
  /**
   * @param all whether the pass gives access to the other pages, too.
   * @returns the same for the page of one record; undefined if the address is not one of these pages.
   */
  recordUrl(address: string, all: boolean): string | undefined
  /** Bearer token of every call to `controlUrl`. */
  readonly controlToken: string
  close(): Promise<void>
}

const host = '127.0.0.1'
const saveAfterMs = 500
const nonceLengthMax = 100

const Secrets = z.object({ key: z.base64url(), control_token: z.string().min(1) })
const States = z.looseObject({ server: Secrets.optional() })

interface Open {
  readonly byName: ReadonlyMap<string, Sandbox>
  readonly port: number
  readonly key: Buffer
  readonly control: Control
  readonly pages: SandboxPages
}

export async function startSandboxes(
  sandboxes: readonly Sandbox[],
  options: SandboxServerOptions,
): Promise<RunningSandboxes> {
  const byName = new Map(sandboxes.map((sandbox) => [sandbox.crm, sandbox]))
  const { snapshotFile } = options
  const restored = snapshotFile === undefined ? undefined : await restore(sandboxes, snapshotFile)
  const key = restored ? Buffer.from(restored.key, 'base64url') : newSandboxKey()
  const controlToken = restored?.control_token ?? randomBytes(24).toString('base64url')
  const secrets = { key: key.toString('base64url'), control_token: controlToken }
  let saving: NodeJS.Timeout | undefined
  let saved: Promise<void> = Promise.resolve()
  const saveSoon = () => {
    if (snapshotFile === undefined) return
    saving ??= setTimeout(() => {
      saving = undefined
      // Writes run one at a time; a failed one is repeated at the next change and reported at close.
      saved = saved.catch(() => {}).then(() => save(sandboxes, secrets, snapshotFile))
      saved.catch(() => {})
    }, saveAfterMs)
  }

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 })
  server.maxConnections = 256
  await listen(server, options.port)
  const { port } = server.address() as AddressInfo
  const origin = `http://${host}:${port}`
  const settingsOf = (sandbox: Sandbox) => ({
    ...sandbox.settings(`${origin}/${sandbox.crm}`),
    sandbox_pass: issuePass(key, origin),
  })
  const open: Open = {
    byName,
    port,
    key,
    control: controlOf(byName, controlToken, settingsOf),
    pages: new SandboxPages(byName, controlToken, port),
  }
  server.on('request', (request, response) => {
    answer(open, request, response).then(saveSoon, (error: unknown) => {
      if (response.headersSent) response.destroy()
      else
        writeAnswer(response, { status: 500, body: { error: error instanceof Error ? error.message : String(error) } })
    })
  })
  const sandboxOf = (crm: string) => {
    const sandbox = byName.get(crm)
    if (!sandbox) throw new Error(`there is no sandbox named ${crm}`)
    return sandbox
  }
  return {
    crms: sandboxes.filter(({ takesPayments }) => !takesPayments).map(({ crm }) => crm),
    processor: sandboxes.find(({ takesPayments }) => takesPayments)?.crm,
    baseUrl: (crm) => `${origin}/${sandboxOf(crm).crm}`,
    settings: (crm) => settingsOf(sandboxOf(crm)),
    controlUrl: `${origin}/control`,
    controlToken,
    pagesUrl: () => pagesUrl(`${origin}/control`, controlToken),
    recordUrl: (address, all) => recordUrl(`${origin}/control`, controlToken, address, all),
    async close() {
      clearTimeout(saving)
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Calls that a timeout fault keeps open would otherwise prevent the server from closing.
      server.closeAllConnections()
      await closed
      await saved.catch(() => {})
      if (snapshotFile !== undefined) await save(sandboxes, secrets, snapshotFile)
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function answer(open: Open, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isOwnHost(request.headers.host, open.port))
    return writeAnswer(response, {
      status: 421,
      body: { error: `call the sandbox as ${host}:${open.port}` },
      headers: { connection: 'close' },
    })
  const url = new URL(`http://sandbox${request.url?.startsWith('/') ? request.url : '/'}`)
  const [, first = ''] = url.pathname.split('/')
  if (request.method === 'GET' && ['/', '/control', '/control/'].includes(url.pathname))
    return writeSandboxPage(response, [...open.byName.keys()])
  if (first === 'pages') return open.pages.handle(request, url, response)
  if (first === 'control') return writeAnswer(response, await open.control(request, url))
  const nonce = url.searchParams.get('nonce') ?? ''
  if (url.pathname === proofPath && nonce !== '' && nonce.length <= nonceLengthMax) {
    response.writeHead(200, { 'content-type': 'text/plain' })
    return void response.end(proofOf(open.key, nonce))
  }
  // Some clients write two slashes after the host.
  const fromRoot = url.pathname.replace(/^\/+/, '/')
  const atRoot = [...open.byName.values()].find(({ rootPaths }) => rootPaths?.some((path) => fromRoot.startsWith(path)))
  if (atRoot) {
    request.url = `${fromRoot}${url.search}`
    return atRoot.handle(request, response)
  }
  const sandbox = open.byName.get(first)
  if (!sandbox) {
    const known = [...open.byName.keys(), 'control'].join(', /')
    return writeAnswer(response, { status: 404, body: { error: `unknown path ${url.pathname}; try /${known}` } })
  }
  const page = pageOfRecord(sandbox, request, url)
  if (page !== undefined) return void response.writeHead(303, { location: page }).end()
  request.url = `${url.pathname.slice(first.length + 1) || '/'}${url.search}`
  await sandbox.handle(request, response)
}

/** A person's browser at a record's address from a delivery; programs do not accept HTML. */
function pageOfRecord(sandbox: Sandbox, { method, headers }: IncomingMessage, url: URL): string | undefined {
  const [, , id = '', ...more] = url.pathname.split('/')
  if (method !== 'GET' || more.length > 0 || !headers.accept?.startsWith('text/html')) return undefined
  return sandbox.records().some((record) => record.id === id) ? `/pages/${sandbox.crm}/records/${id}` : undefined
}

/** A page whose domain name resolves to this machine sends that name. */
function isOwnHost(header: string | undefined, port: number): boolean {
  return [host, 'localhost', '[::1]'].some((name) => header === `${name}:${port}`)
}

type SavedSecrets = z.infer<typeof Secrets>

async function save(sandboxes: readonly Sandbox[], server: SavedSecrets, file: string): Promise<void> {
  const states = sandboxes.filter((sandbox) => sandbox.snapshot).map((sandbox) => [sandbox.crm, sandbox.snapshot?.()])
  await writeFile(`${file}.new`, JSON.stringify({ ...Object.fromEntries(states), server }), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function restore(sandboxes: readonly Sandbox[], file: string): Promise<SavedSecrets | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const { server, ...states } = States.parse(JSON.parse(text))
  for (const sandbox of sandboxes) {
    if (states[sandbox.crm] !== undefined) sandbox.restore?.(states[sandbox.crm])
  }
  return server
}
