/** The sandbox CRMs hold leads too: who reaches them, with what, and how long they live. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get as httpGet, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { runNode } from '../support/run-node.ts'

let server: RunningSandboxes
beforeEach(async () => {
  server = await startSandboxes(sandboxes(), { port: 0 })
})
afterEach(() => server.close())

const statusWith = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    httpGet(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
const isRefused = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })

describe('who reaches a sandbox', () => {
  test('a control call without the token is refused, whatever it asks', async () => {
    for (const [method, path] of [
      ['GET', '/records?crm=salesforce'],
      ['GET', '/calls?crm=hubspot'],
      ['GET', '/settings?crm=hubspot'],
      ['POST', '/faults'],
      ['POST', '/reset'],
    ] as const) {
      for (const authorization of ['', 'Bearer ', 'Bearer x', server.controlToken, `Basic ${server.controlToken}`]) {
        const headers = authorization === '' ? {} : { authorization }
        const reply = await fetch(`${server.controlUrl}${path}`, { method, headers })
        expect([reply.status, path, authorization]).toEqual([401, path, authorization])
      }
    }
    const bearer = { authorization: `Bearer ${server.controlToken}` }
    expect((await fetch(`${server.controlUrl}/records?crm=salesforce`, { headers: bearer })).status).toBe(200)
  })

  test('a page that led its own name to this machine is refused, with the right token and credentials even', async () => {
    const port = new URL(server.controlUrl).port
    const authorization = `Bearer ${server.controlToken}`
    for (const address of [
      `${server.controlUrl}/records?crm=salesforce`,
      `${server.baseUrl('salesforce')}/services/data/v66.0/limits`,
      `${server.baseUrl('hubspot')}/crm/objects/2026-03/companies`,
      `http://127.0.0.1:${port}/sandbox-proof?nonce=x`,
    ]) {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1',
        '127.0.0.1:1',
        `127.0.0.1.evil.example:${port}`,
      ])
        expect([host, await statusWith(address, { host, authorization })]).toEqual([host, 421])
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await statusWith(`${server.controlUrl}/records?crm=salesforce`, { host, authorization })).toBe(200)
  })

  test('what a sandbox prints is its own: no two have a secret in common', async () => {
    const other = await startSandboxes(sandboxes(), { port: 0 })
    for (const { name, readSettings } of connectors) {
      const [ours, theirs] = [server.settings(name), other.settings(name)]
      for (const secret of readSettings(ours).secretNames)
        if (ours[secret] !== undefined) expect(ours[secret]).not.toBe(theirs[secret])
    }
    expect(other.controlToken).not.toBe(server.controlToken)
    await other.close()
  })

  test('a call with the credentials of no sandbox or of another one is refused', async () => {
    const hubspot = `${server.baseUrl('hubspot')}/crm/objects/2026-03/companies`
    for (const token of ['x', 'pat-na1-sandbox-00000000-0000-4000-8000-000000000000', server.controlToken])
      expect(await statusWith(hubspot, { authorization: `Bearer ${token}` })).toBe(401)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'panji-sandbox-app',
      client_secret: 'panji-sandbox-secret',
    })
    const reply = await fetch(`${server.baseUrl('salesforce')}/services/oauth2/token`, { method: 'POST', body })
    expect(reply.status).toBe(400)
  })

  test('it listens on this machine alone, whatever HOST says', async () => {
    const home = panjiHome({ HOST: '0.0.0.0' })
    const sandbox = home.run('sandbox', '--port', '0')
    const { control_url: url } = JSON.parse(await sandbox.line('control_url')) as { control_url: string }
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    expect(await isRefused('127.0.0.1', Number(port))).toBe(false)
    expect(await isRefused('127.0.0.2', Number(port))).toBe(true)
    sandbox.child.kill('SIGTERM')
    expect((await sandbox.ended).code).toBe(0)
    home.remove()
  })
})

describe('hostile calls', () => {
  const signIn = async () => {
    const { client_id: id, client_secret: secret } = server.settings('salesforce')
    const form = { grant_type: 'client_credentials', client_id: String(id), client_secret: String(secret) }
    const body = new URLSearchParams(form)
    const reply = await fetch(`${server.baseUrl('salesforce')}/services/oauth2/token`, { method: 'POST', body })
    return ((await reply.json()) as { access_token: string }).access_token
  }

  test.each([
    ['white space', `SELECT${' '.repeat(12_000)}!`],
    ['words and white space', `SELECT ${'a '.repeat(6_000)}`],
    ['FROM over and over', `SELECT Id ${'FROM Lead WHERE Id IN '.repeat(500)}`],
    ['a literal without an end', `SELECT Id FROM Lead WHERE Id IN ('${'\\a'.repeat(3_000)}`],
    ['white space between literals', `SELECT Id FROM Lead WHERE Id IN ('a'${' '.repeat(12_000)}'b')`],
  ])('a query of %s is answered at once', async (_what, soql) => {
    const authorization = `Bearer ${await signIn()}`
    const started = performance.now()
    const url = `${server.baseUrl('salesforce')}/services/data/v66.0/query?q=${encodeURIComponent(soql).replaceAll('%20', '+')}`
    expect(await statusWith(url, { authorization })).toBe(400)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test('a body above the bound is refused, and the sandbox goes on', async () => {
    for (const crm of server.crms) {
      const status = await new Promise<number>((resolve) => {
        const call = httpRequest(`${server.baseUrl(crm)}/services/oauth2/token`, { method: 'POST' }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        // The server hangs up in the middle of what it does not want.
        call.on('error', () => resolve(413))
        // Salesforce takes 64 MiB in a bulk upload, the largest of all bounds.
        call.end(Buffer.alloc(72 * 1024 * 1024, 'x'))
      })
      expect(status).toBe(413)
    }
    expect(await signIn()).toMatch(/./)
  })
})

describe('a process of their own', () => {
  const holder = fileURLToPath(new URL('../support/sandbox-holder.ts', import.meta.url))

  test('ends with the process that started it, also when that is killed', async () => {
    const parent = runNode(holder)
    const { controlUrl } = JSON.parse(await parent.line('controlUrl')) as { controlUrl: string }
    const { hostname, port } = new URL(controlUrl)
    expect(await isRefused(hostname, Number(port))).toBe(false)
    parent.child.kill('SIGKILL')
    await vi.waitFor(async () => expect(await isRefused(hostname, Number(port))).toBe(true), { timeout: 60_000 })
  })

  test.skipIf(process.platform !== 'linux')('knows nothing of the environment of its parent', async () => {
    const parent = runNode(holder, [], { PANJI_SECRET_KEY: 'a-secret-of-sixteen-characters' })
    await parent.line('controlUrl')
    const { pid } = parent.child
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    expect(children).toHaveLength(1)
    expect(readFileSync(`/proc/${children[0]}/environ`, 'utf8')).toBe('')
    parent.child.kill('SIGKILL')
    await parent.ended
  })
})

test('an instance without the sample world runs no sandbox, one with it keeps what it knows from others', async () => {
  const home = panjiHome({ PANJI_SAMPLE: 'off' })
  try {
    const empty = home.run('start')
    await empty.line('Ctrl-C stops.')
    expect(empty.printed()).not.toMatch(/Sandbox/)
    expect(readdirSync(home.dataDir)).not.toContain('sandbox-records.json')
    empty.child.kill('SIGINT')
    expect((await empty.ended).code).toBe(0)
    const withKeys = await startSandboxes(sandboxes(), { port: 0, snapshotFile: join(home.dataDir, 'sandboxes.json') })
    await withKeys.close()
    expect(statSync(join(home.dataDir, 'sandboxes.json')).mode & 0o077).toBe(0)
  } finally {
    home.remove()
  }
}, 60_000)
