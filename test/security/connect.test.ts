/**
 * Signing in at a CRM's own page, walked over real HTTP against the sandboxes' pages, and the ways in which somebody could bring
 * another one's CRM into their own account, or their own into another one's.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { testDestination } from '../../src/deliver/destinations/test-destination.ts'
import { type LoggedIn, logInCustomer, newCustomer, secretKey, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const publicUrl = 'https://panji.example.in'
const database = useTestDatabase()
const api = useApi(database)

const boxes = {
  salesforce: createSalesforceSandbox(),
  hubspot: createHubspotSandbox(),
  zoho: createZohoSandbox(),
}
type Crm = keyof typeof boxes
let server: RunningSandboxes
beforeAll(async () => {
  server = await startSandboxes(Object.values(boxes), { port: 0 })
})
afterAll(async () => {
  await server.close()
})
let customer: LoggedIn
beforeEach(async () => {
  await database.db.execute('DELETE FROM deliver.limiter')
  customer = await newCustomer(api, database)
})

/** Where the sandbox is and which app it knows; nothing that opens it. */
function settingsOf(crm: Crm): Record<string, unknown> {
  const { sandbox_pass, ...settings } = server.settings(crm)
  const oauth = crm === 'hubspot' ? boxes.hubspot.oauthSettings(server.baseUrl(crm)) : settings
  const kept = ['login_url', 'base_url', 'accounts_url', 'client_id', 'client_secret']
  const shown = Object.entries(oauth).filter(([name]) => kept.includes(name))
  return { ...Object.fromEntries(shown), sandbox_pass }
}
const post = (path: string, body: object, { token } = customer) => api.post(`/api/crm/destinations${path}`, token, body)
const begin = async (crm: Crm, more: object = {}, who = customer) => {
  const reply = await post('/connect', { type: crm, name: crm, settings: settingsOf(crm), ...more }, who)
  expect(reply.statusCode, reply.body).toBe(201)
  return new URL(reply.json().authorize_url)
}
/** What a person does at the page: reads it, and presses a button. @returns where the browser is sent. */
async function press(address: URL, consent: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const page = await fetch(address)
  expect(page.status, await page.text()).toBe(200)
  const form = new URLSearchParams([...address.searchParams, ['consent', consent]])
  const reply = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  expect(reply.status).toBe(302)
  return new URL(reply.headers.get('location') ?? '')
}
const comeBack = (address: URL) => api.get(`${address.pathname}${address.search}`)
const wordIn = (html: string) => /<code>([\w-]{43})<\/code>/.exec(html)?.[1] ?? ''
const allow = async (crm: Crm, more: object = {}) => wordIn((await comeBack(await press(await begin(crm, more)))).body)
const list = async ({ token } = customer) => (await api.get('/api/crm/destinations', token)).json().data

test.each(['salesforce', 'hubspot', 'zoho'] as const)(
  'a person allows it at the page of %s, and the destination delivers with what came of it',
  async (crm) => {
    const address = await begin(crm)
    expect(address.searchParams.get('redirect_uri')).toBe(`${publicUrl}/crm/oauth/callback`)
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    const back = await press(address)
    expect(back.origin).toBe(publicUrl)
    const page = await comeBack(back)
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    // Nothing is there before the word came back from who began.
    expect(await list()).toEqual([])
    const reply = await post('/connect/finish', { word: wordIn(page.body) })
    expect(reply.statusCode, reply.body).toBe(201)
    const { destination_id: id, remote_account: account, settings } = reply.json()
    expect(account).toMatch(/\w/)
    expect(settings).toMatchObject({ refresh_token: '[hidden]', client_secret: '[hidden]' })
    const parts = { db: database.db, connectors, secretKey }
    const { checks } = await testDestination(parts, id, AbortSignal.timeout(30_000))
    expect(checks[0]).toMatchObject({ ok: true, detail: expect.stringContaining(account) })
  },
)

test('credentials that were revoked are renewed on the same destination, which keeps everything else', async () => {
  const { destination_id: id } = (
    await post('/connect/finish', {
      word: await allow('salesforce', {
        settings: { ...settingsOf('salesforce'), managed_fields: 'off' },
        ...{ deliver: 'manual', customer_share: 0.4, batch_size: 50, hours: '20:00-06:00', pause_at_rejected: 0.25 },
      }),
    })
  ).json()
  boxes.salesforce.revoke()
  const refused = await post(`/${id}/test`, {})
  expect(refused.json()).toMatchObject({ error_code: 'CRM_UNAUTHORIZED' })

  for (const chosen of [{ customer_share: 0.1 }, { batch_size: 10 }, { hours: null }, { pause_at_rejected: 1 }])
    expect((await post('/connect', { destination_id: id, ...chosen })).statusCode).toBe(422)
  const begun = await post('/connect', { destination_id: id })
  expect(begun.statusCode, begun.body).toBe(201)
  const word = wordIn((await comeBack(await press(new URL(begun.json().authorize_url)))).body)
  const renewed = await post('/connect/finish', { word })
  expect(renewed.statusCode, renewed.body).toBe(201)
  const chosen = {
    deliver: 'manual',
    customer_share: 0.4,
    batch_size: 50,
    hours: '20:00-06:00',
    pause_at_rejected: 0.25,
  }
  const kept = { settings: { managed_fields: 'off' }, ...chosen }
  expect(renewed.json()).toMatchObject({ destination_id: id, ...kept })
  expect((await post(`/${id}/test`, {})).statusCode).toBe(200)
})

test('a renewal that signs in to another account of the CRM is refused, and changes nothing', async () => {
  const { destination_id: id } = (await post('/connect/finish', { word: await allow('hubspot') })).json()
  await database.db.execute(
    `UPDATE deliver.destination SET verified_account = 'another portal' WHERE destination_id = $1`,
    [id],
  )
  const before = await database.db.query(
    'SELECT settings_encrypted FROM deliver.destination WHERE destination_id = $1',
    [id],
  )
  const begun = await post('/connect', { destination_id: id })
  const word = wordIn((await comeBack(await press(new URL(begun.json().authorize_url)))).body)
  expect((await post('/connect/finish', { word })).statusCode).toBe(409)
  expect(
    await database.db.query('SELECT settings_encrypted FROM deliver.destination WHERE destination_id = $1', [id]),
  ).toEqual(before)
})

test('a renewal follows an org that was replaced at its address, as a refreshed sandbox is, and none at another address', async () => {
  const { destination_id: id } = (await post('/connect/finish', { word: await allow('salesforce') })).json()
  const renewed = async (urls: string | null) => {
    await database.db.execute(
      `UPDATE deliver.destination SET verified_account = '00D000000000099', record_urls = coalesce($2, record_urls)
       WHERE destination_id = $1`,
      [id, urls],
    )
    const begun = await post('/connect', { destination_id: id })
    const word = wordIn((await comeBack(await press(new URL(begun.json().authorize_url)))).body)
    return post('/connect/finish', { word })
  }
  const reply = await renewed(null)
  expect(reply.statusCode, reply.body).toBe(201)
  expect(reply.json()).toMatchObject({ destination_id: id, remote_account: '00D000000000001', set_up_at: null })
  expect((await post(`/${id}/test`, {})).json()).toMatchObject({ ok: true })
  const elsewhere = { company: 'https://other.my.salesforce.com/{id}' }
  expect((await renewed(JSON.stringify(elsewhere))).statusCode).toBe(409)
})

test('who was sent somebody else’s link and allowed it gives that one nothing, because the word stays with the browser', async () => {
  const attacker = customer
  const victim = await newCustomer(api, database)
  const word = wordIn((await comeBack(await press(await begin('salesforce', {}, attacker)))).body)
  // Neither can a victim who pastes the word into their own account.
  expect((await post('/connect/finish', { word }, victim)).statusCode).toBe(404)
  expect(await list(victim)).toEqual([])
  expect(await list(attacker)).toEqual([])
  // Nor another session of the account that began it.
  const elsewhere = await logInCustomer(api, attacker)
  expect((await post('/connect/finish', { word }, elsewhere)).statusCode).toBe(404)
})

test('a state comes back once, and a word is taken once', async () => {
  const back = await press(await begin('salesforce'))
  const first = await comeBack(back)
  const again = await comeBack(back)
  expect([first.statusCode, again.statusCode]).toEqual([200, 404])
  expect(wordIn(again.body)).toBe('')
  const word = wordIn(first.body)
  const finishing = await Promise.all([post('/connect/finish', { word }), post('/connect/finish', { word })])
  const statuses = finishing.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect((await post('/connect/finish', { word })).statusCode).toBe(404)
  expect(await list()).toHaveLength(1)
})

test('a state that nobody began, one without its time, and one that was refused at the page open nothing', async () => {
  for (const query of [
    '',
    '?state=&code=x',
    `?state=${'A'.repeat(43)}&code=x`,
    '?state=a&state=b&code=x',
    '?state[]=x',
  ])
    expect((await api.get(`/crm/oauth/callback${query}`)).statusCode).toBe(404)
  const late = await press(await begin('salesforce'))
  await database.db.execute('UPDATE deliver.consent SET expires_at = now()')
  expect((await comeBack(late)).statusCode).toBe(404)
  const denied = await comeBack(await press(await begin('salesforce'), 'deny'))
  expect(denied.statusCode).toBe(200)
  expect(wordIn(denied.body)).toBe('')
  const stale = await allow('salesforce')
  await database.db.execute('UPDATE deliver.consent SET expires_at = now()')
  expect((await post('/connect/finish', { word: stale })).statusCode).toBe(404)
})

test('a code of another sign-in is worth nothing: the page holds it to the one that began', async () => {
  const own = await press(await begin('salesforce'))
  const stolen = await press(await begin('salesforce', { name: 'second' }))
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  const word = wordIn((await comeBack(own)).body)
  const reply = await post('/connect/finish', { word })
  expect(reply.json()).toMatchObject({
    error_code: 'CRM_UNAUTHORIZED',
    detail: expect.stringContaining('invalid_grant'),
  })
  expect(await list()).toEqual([])
})

test('the callback leads nowhere and repeats nothing that it was asked', async () => {
  const evil = 'https://evil.example/"><script>alert(1)</script>'
  for (const name of ['redirect_uri', 'next', 'return_to', 'state', 'code', 'error', 'error_description']) {
    const reply = await api.get(`/crm/oauth/callback?${new URLSearchParams({ [name]: evil })}`)
    expect(reply.headers['location']).toBeUndefined()
    expect(reply.body).not.toContain('evil.example')
  }
  const address = await begin('salesforce')
  address.searchParams.set('redirect_uri', 'https://evil.example/take')
  expect((await fetch(address, { redirect: 'manual' })).status).toBe(400)
})

test('state, word, code, verifier and tokens are kept as hashes or sealed, and are gone when it is finished', async () => {
  const address = await begin('salesforce')
  const state = address.searchParams.get('state') ?? ''
  const back = await press(address)
  const word = wordIn((await comeBack(back)).body)
  const stored = () =>
    database.db.query<Record<string, unknown>>(
      'SELECT consent::text AS row, sealed FROM deliver.consent ORDER BY created_at DESC LIMIT 1',
    )
  const text = JSON.stringify(await stored())
  for (const secret of [state, word, back.searchParams.get('code') ?? '']) {
    expect(secret).not.toBe('')
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(secret).toString('hex'))
  }
  expect(text).toContain(createHash('sha256').update(state).digest('hex'))
  expect((await post('/connect/finish', { word })).statusCode).toBe(201)
  expect((await stored())[0]?.['sealed']).toHaveLength(0)
})

test('the operator’s app asks vendors alone: a sandbox never hears its secret', async () => {
  const { login_url, sandbox_pass } = settingsOf('salesforce')
  const inBox = await post('/connect', { type: 'salesforce', name: 'box', settings: { login_url, sandbox_pass } })
  expect(inBox.json()).toMatchObject({ error_code: 'CONNECT_UNAVAILABLE' })
  const atVendor = await post('/connect', { type: 'salesforce', name: 'org' })
  const address = new URL(atVendor.json().authorize_url)
  expect(address.origin).toBe('https://login.salesforce.com')
  expect(address.searchParams.get('client_id')).toBe('operators-app')
  expect(atVendor.body).not.toContain('operators-secret')
})

test.each([
  [{ login_url: 'https://evil.example' }, 'login_url'],
  [{ login_url: 'https://login.salesforce.com.evil.example' }, 'login_url'],
  [{ private_key: 'x' }, 'private_key'],
] as const)(
  'settings that lead elsewhere or bring credentials are refused before anybody is sent there: %o',
  async (settings, named) => {
    const reply = await post('/connect', { type: 'salesforce', name: 'org', settings })
    expect(reply.json()).toMatchObject({ error_code: 'DESTINATION_INVALID', detail: expect.stringContaining(named) })
  },
)

test('where no address or no app is configured, the refusal says so, and pasted credentials still work', async () => {
  const reply = await post('/connect', { type: 'hubspot', name: 'portal' })
  expect(reply.statusCode).toBe(501)
  expect(reply.json()).toMatchObject({
    error_code: 'CONNECT_UNAVAILABLE',
    detail: expect.stringContaining('ask whoever runs this Panji'),
  })
  // A buyer reads it, who sets no variables.
  expect(reply.json().detail).not.toContain('PANJI_')
  const pasted = await post('', { type: 'hubspot', name: 'portal', settings: server.settings('hubspot') })
  expect(pasted.statusCode).toBe(201)
})

test('the kinds of CRM say which have a page to sign in at, whether an app is there, and what it must know first', async () => {
  const kinds = (await api.get('/api/crm/kinds', customer.token)).json().data as {
    type: string
    own_page: { has_app: boolean; fields: { name: string }[] } | null
  }[]
  const told = kinds.map(({ type, own_page }) => [
    type,
    own_page && [own_page.has_app, ...own_page.fields.map(({ name }) => name)],
  ])
  expect(Object.fromEntries(told)).toMatchObject({
    salesforce: [true, 'login_url', 'object'],
    hubspot: [false],
    zoho: [false, 'accounts_url'],
  })
})
