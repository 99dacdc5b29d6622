import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, type SandboxServerOptions, startSandboxes } from '../../sandboxes/server.ts'
import { gstLead } from './sample-leads.ts'

let running: RunningSandboxes | undefined
afterEach(async () => {
  await running?.close()
})
async function start(options: Partial<SandboxServerOptions> = {}): Promise<RunningSandboxes> {
  running = await startSandboxes(sandboxes(), { port: 0, ...options })
  return running
}
const bearer = () => ({ authorization: `Bearer ${running?.controlToken}` })
const get = async (address: string) => (await fetch(address, { headers: bearer() })).json()
const post = (address: string, body: unknown) =>
  fetch(address, { method: 'POST', headers: bearer(), body: JSON.stringify(body) })

async function pushInto(server: RunningSandboxes, crm: string): Promise<void> {
  const connector = connectors.find(({ name }) => name === crm)
  if (!connector) throw new Error(`no connector ${crm}`)
  const session = connector.open(connector.readSettings(server.settings(crm)), {
    gate: { take: async () => {}, observe: () => {} },
    signal: new AbortController().signal,
  })
  await session.setup()
  await session.push([gstLead(1)])
}

test('every connector has a sandbox of its name, whose settings it takes', async () => {
  const server = await start()
  for (const { name } of connectors) await pushInto(server, name)
  for (const { name } of connectors) {
    expect(JSON.stringify(await get(`${server.controlUrl}/records?crm=${name}`))).toContain(gstLead(1).externalId)
    expect(await get(`${server.controlUrl}/calls?crm=${name}`)).toContainEqual(expect.objectContaining({ status: 200 }))
  }
})

test('what a vendor’s client takes from the host’s root reaches its sandbox, and nothing else does', async () => {
  const server = await start()
  const { origin } = new URL(server.controlUrl)
  for (const path of ['/services/data/v66.0/limits', '//services/data/v66.0/limits', '/id/x/y'])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(401)
  for (const path of ['/crm/v8/Leads', '/services', '/control/../services-x', '/oauth/v2/token'])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(404)
})

test('the calls that are shown carry no credentials', async () => {
  const server = await start()
  await pushInto(server, 'salesforce')
  const shown = JSON.stringify(await get(`${server.controlUrl}/calls?crm=salesforce`))
  expect(shown).toContain('client_credentials')
  expect(shown).not.toMatch(/client_secret|Bearer/)
})

test('failures are scripted over HTTP, and a reset empties', async () => {
  const server = await start()
  await pushInto(server, 'salesforce')
  const fault = { crm: 'salesforce', kind: 'status', status: 503, times: 1 }
  expect((await post(`${server.controlUrl}/faults`, fault)).status).toBe(201)
  expect((await fetch(`${server.baseUrl('salesforce')}/services/data/v66.0/limits`)).status).toBe(503)
  expect((await fetch(`${server.baseUrl('salesforce')}/services/data/v66.0/limits`)).status).toBe(401)
  expect((await post(`${server.controlUrl}/reset`, {})).status).toBe(200)
  expect(await get(`${server.controlUrl}/records?crm=salesforce`)).toEqual([])
})

test('wrong control calls are answered with what would be right', async () => {
  const { controlUrl } = await start()
  for (const body of [{ crm: 'fax', kind: 'reset' }, { crm: 'salesforce', kind: 'flood' }, 7, null]) {
    const reply = await post(`${controlUrl}/faults`, body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toHaveProperty('error')
  }
  const unfinished = { method: 'POST', headers: bearer(), body: '{' }
  expect((await fetch(`${controlUrl}/faults`, unfinished)).status).toBe(400)
  expect((await post(`${controlUrl}/faults`, 'x'.repeat(70_000))).status).toBe(413)
  expect((await fetch(`${controlUrl}/records?crm=fax`, { headers: bearer() })).status).toBe(400)
  expect((await fetch(`${controlUrl}/nothing`, { headers: bearer() })).status).toBe(404)
  expect((await fetch(controlUrl.replace('control', 'fax'))).status).toBe(404)
})

test('records outlive a restart when a snapshot file is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'panji-sandbox-'))
  try {
    const snapshotFile = join(folder, 'sandboxes.json')
    const first = await start({ snapshotFile })
    await pushInto(first, 'salesforce')
    const records = await get(`${first.controlUrl}/records?crm=salesforce`)
    await first.close()
    const second = await start({ snapshotFile })
    expect(await get(`${second.controlUrl}/records?crm=salesforce`)).toEqual(records)
    // The restored org knows its key field, so the same lead meets its record.
    await pushInto(second, 'salesforce')
    expect(await get(`${second.controlUrl}/records?crm=salesforce`)).toEqual(records)
    await second.close()
    running = undefined
    expect(readdirSync(folder)).toEqual(['sandboxes.json'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
