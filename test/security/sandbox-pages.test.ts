/** The pages of the sandbox CRMs show leads: who is let in, by what, and what a lead's own text may do on them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { newPass } from '../../sandboxes/pages/authenticator.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { gstLead } from '../conformance/sample-leads.ts'

let server: RunningSandboxes
let origin: string
beforeEach(async () => {
  server = await startSandboxes(sandboxes(), { port: 0 })
  origin = new URL(server.controlUrl).origin
})
afterEach(() => server.close())

const visit = (address: string, headers: Record<string, string> = {}) =>
  fetch(new URL(address, origin), { redirect: 'manual', headers })
const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(new URL(path, origin), { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers })
const cookieOf = (reply: Response): string => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const comeIn = async () => ({ cookie: cookieOf(await visit(server.pagesUrl())) })

const script = '<script>alert("a lead")</script>'
/** As a delivery leaves it. @returns its id in the CRM. */
async function addRecord(company: string, n = 1): Promise<string> {
  const connector = connectors.find(({ name }) => name === 'salesforce')
  if (!connector) throw new Error('there is no connector for Salesforce')
  const session = connector.open(connector.readSettings(server.settings('salesforce')), {
    gate: { take: async () => {}, observe: () => {} },
    signal: new AbortController().signal,
  })
  await session.setup()
  const [result] = await session.push([gstLead(n, { Company: company })])
  return (result && 'crmId' in result ? result.crmId : undefined) ?? ''
}

test('nobody sees a record, a call or a fault without having come in, and no form is taken', async () => {
  const id = await addRecord('Konkan Petro')
  for (const path of [
    '/pages',
    '/pages/salesforce/records',
    `/pages/salesforce/records/${id}`,
    '/pages/hubspot/calls',
  ]) {
    for (const cookie of ['', 'panji_sandbox=', 'panji_sandbox=guessed', `panji_sandbox=${server.controlToken}`]) {
      const text = await (await visit(path, { cookie })).text()
      expect(text).toContain('Sandbox token')
      expect(text).not.toContain('Konkan')
    }
  }
  expect((await send('/pages/salesforce/faults', { fault: 'away' }, { origin })).status).toBe(403)
})

test('a link lets one browser in, once and within its minute; the token does so, too', async () => {
  const link = server.pagesUrl()
  const first = await visit(link)
  expect([first.status, first.headers.get('location')]).toEqual([303, '/pages'])
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Path=\/pages/)
  const again = await visit(link)
  expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
  for (const pass of [
    newPass(server.controlToken, Date.now() - 61_000),
    newPass('another token', Date.now()),
    'x.y.z',
    '',
  ]) {
    expect((await visit(`/pages?pass=${pass}`)).headers.get('set-cookie')).toBeNull()
  }
  expect((await send('/pages/enter', { token: 'guessed' }, { origin })).status).toBe(403)
  const typed = await send('/pages/enter', { token: server.controlToken }, { origin })
  expect((await visit('/pages/salesforce/calls', { cookie: cookieOf(typed) })).status).toBe(200)
})

test('a form counts only from these pages, whoever has come in', async () => {
  const { cookie } = await comeIn()
  const form = { fault: 'away', times: '1' }
  for (const elsewhere of [
    {},
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://evil.example' },
  ]) {
    expect((await send('/pages/salesforce/faults', form, { cookie, ...elsewhere })).status).toBe(403)
  }
  expect((await send('/pages/salesforce/faults', form, { cookie, origin })).status).toBe(303)
  expect(await (await visit('/pages/salesforce/faults', { cookie })).text()).toContain(
    'every call fails with 503: 1 call',
  )
  expect((await fetch(`${server.baseUrl('salesforce')}/services/data`)).status).toBe(503)
})

test('the text of a lead stays text, and no script runs on these pages', async () => {
  const id = await addRecord(script)
  const headers = await comeIn()
  for (const path of ['/pages/salesforce/records', `/pages/salesforce/records/${id}`, '/pages/salesforce/calls']) {
    const reply = await visit(path, headers)
    const text = await reply.text()
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(reply.headers.get('content-security-policy')).not.toContain('script-src')
  }
})

test('what a browser sends along, the cookies of the console among it, is not kept with the calls', async () => {
  await addRecord('Konkan Petro')
  await visit('/salesforce/services/data', { cookie: 'panji_console=secret' })
  const headers = { authorization: `Bearer ${server.controlToken}` }
  const calls = await (await fetch(`${server.controlUrl}/calls?crm=salesforce`, { headers })).text()
  expect(calls).toContain('Konkan Petro')
  expect(calls).not.toContain('panji_console')
  expect(await (await visit('/pages/salesforce/calls', await comeIn())).text()).not.toContain(server.controlToken)
})

test("a browser at a record's address is led to its page, and a field changed by hand stays changed", async () => {
  const id = await addRecord('Konkan Petro')
  const headers = await comeIn()
  const led = await visit(`/salesforce/${id}`, { accept: 'text/html' })
  expect([led.status, led.headers.get('location')]).toEqual([303, `/pages/salesforce/records/${id}`])
  const page = `/pages/salesforce/records/${id}`
  expect((await send(page, { field: 'Company', value: 'Konkan Oil' }, { ...headers, origin })).status).toBe(303)
  expect((await send(page, { field: '__proto__', value: 'x' }, { ...headers, origin })).status).toBe(404)
  expect(await (await visit(page, headers)).text()).toContain('<h1>Konkan Oil</h1>')
  expect((await visit('/pages/salesforce/records/none', headers)).status).toBe(404)
  expect((await visit('/pages/salesforce/records/%E0%A4%A', headers)).status).not.toBe(500)
})

test("a link to one record's page shows that page and nothing else, and changes nothing", async () => {
  const [id, other] = [await addRecord('Konkan Petro'), await addRecord('Deccan Petro', 2)]
  const page = `/pages/salesforce/records/${id}`
  const link = server.recordUrl(`${origin}${page}`, false) ?? ''
  const first = await visit(link)
  expect([first.status, first.headers.get('location')]).toEqual([303, page])
  const headers = { cookie: cookieOf(first) }
  const text = await (await visit(page, headers)).text()
  expect(text).toContain('Konkan Petro')
  expect(text).not.toContain('<form')
  const others = [
    `/pages/salesforce/records/${other}`,
    '/pages/salesforce/records',
    '/pages/salesforce/calls',
    '/pages',
  ]
  for (const path of [...others, '/pages/salesforce/faults', `${page}/`, `/pages/hubspot/records/${id}`]) {
    expect(await (await visit(path, headers)).text(), path).toContain('Sandbox token')
  }
  const forms = [page, '/pages/salesforce/faults'].map((path) =>
    send(path, { field: 'Company', value: 'x', fault: 'away' }, { ...headers, origin }),
  )
  expect((await Promise.all(forms)).map(({ status }) => status)).toEqual([403, 403])
})

test('the pass of one page opens no other, and one who is in sees more by another link, never less', async () => {
  const [id, other] = [await addRecord('Konkan Petro'), await addRecord('Deccan Petro', 2)]
  const pageOf = (each: string) => `/pages/salesforce/records/${each}`
  const linkTo = (each: string) => server.recordUrl(`${origin}${pageOf(each)}`, false) ?? ''
  const moved = linkTo(id).replace(pageOf(id), pageOf(other))
  expect((await visit(moved)).headers.get('set-cookie')).toBeNull()
  expect((await visit(linkTo(id).replace(pageOf(id), '/pages').replace('.one.', '.all.'))).status).toBe(403)

  const headers = { cookie: cookieOf(await visit(linkTo(id))) }
  expect(cookieOf(await visit(linkTo(other), headers))).toBe(headers.cookie)
  for (const each of [id, other]) expect(await (await visit(pageOf(each), headers)).text()).toContain('Petro')
  const operator = await comeIn()
  expect(cookieOf(await visit(linkTo(id), operator))).toBe(operator.cookie)
  expect((await visit('/pages/salesforce/calls', operator)).status).toBe(200)
  for (const address of ['https://crm.example/pages/salesforce/records/1', `${origin}/control`, 'nothing']) {
    expect(server.recordUrl(address, true)).toBeUndefined()
  }
})
