/** The people of an account: invited, let in, given a role, removed. */
import { beforeEach, expect, test } from 'vitest'
import { quotas } from '../../../config/plans.ts'
import { invitations } from '../../../config/sign-in.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { sendMails } from '../../../src/notify/mails/send-mails.ts'
import type { OutgoingMail } from '../../../src/notify/mails/smtp.ts'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { codeFor, enterBy, invited, newPerson, ownerOf, signInAs } from '../../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)
const mailless = useApi(database, [], { settings: { leadSource: 'Panji', onlineLabel: 'online' } })
// Whoever sends, sends all that waits.
beforeEach(() => database.db.execute('DELETE FROM deliver.mail'))

interface Member {
  readonly person_id: string
  readonly email: string
  readonly role: string
  readonly state: string
}
const teamOf = async ({ token }: LoggedIn) => (await api.get('/api/team', token)).json<{ data: Member[] }>().data
const newAddress = (() => {
  let n = 0
  return () => `invited${++n}@example.com`
})()

/** What the worker sends now. */
async function mailed(): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  const mailer = {
    async send(mail: OutgoingMail) {
      sent.push(mail)
      return { sent: true as const }
    },
    close() {},
  }
  await sendMails(database.as('panji_worker'), mailer, new AbortController().signal, 'https://panji.example.in')
  return sent
}
const codeIn = (mail: OutgoingMail | undefined) => /\/app#code=([\w-]{43})\n/.exec(mail?.text ?? '')?.[1] ?? ''

test('whom an account was made for is its first admin, and signs in by link without any API key', async () => {
  const customer = await newCustomer(api, database)
  const [owner, ...others] = await teamOf(customer)
  expect([owner?.role, owner?.state, others]).toEqual(['admin', 'active', []])
  await database.db.execute('UPDATE access.api_key SET revoked_at = now() WHERE account_id = $1', [customer.accountId])
  const signedIn = await ownerOf(api, database, customer.accountId)
  expect((await signedIn.call('GET', '/app/session')).json()).toMatchObject({
    user_id: customer.accountId,
    scopes: ['read', 'write', 'order', 'deliver', 'keys'],
    person: { person_id: owner?.person_id, role: 'admin' },
  })
})

test('an invitation is mailed, lies nowhere but hashed, lets one in once, and names the role and who invited', async () => {
  const customer = await newCustomer(api, database)
  const admin = await ownerOf(api, database, customer.accountId)
  const email = newAddress()
  const answer = await admin.call('POST', '/api/team', { email, name: 'Ravi', role: 'buyer' })
  expect([answer.statusCode, answer.json()]).toMatchObject([201, { state: 'invited', role: 'buyer', joined_at: null }])
  const [mail, ...others] = await mailed()
  expect([mail?.to, others]).toEqual([email, []])
  const [me] = await teamOf(customer)
  expect(mail?.text).toContain(`as buyer`)
  const code = codeIn(mail)
  const stored = await database.db.query<{ text: string }>(
    'SELECT c::text AS text FROM access.sign_in_code c UNION ALL SELECT m::text FROM deliver.mail m UNION ALL SELECT p::text FROM access.person p',
  )
  expect(code).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(stored)).not.toContain(code)
  const both = await Promise.all([enterBy(api, code), enterBy(api, code)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401])
  const joined = (await teamOf(customer)).find((each) => each.email === email)
  expect(joined).toMatchObject({ state: 'active', invited_by: expect.any(String), invitation_ends_at: null })
  expect(me?.role).toBe('admin')
})

test('an invitation ends after a week, and one that is sent again ends the links before it', async () => {
  const customer = await newCustomer(api, database)
  const email = newAddress()
  const invite = (role: string) => api.post('/api/team', customer.token, { email, role })
  await invite('viewer')
  const first = codeIn((await mailed())[0])
  await invite('buyer')
  const second = codeIn((await mailed())[0])
  expect((await enterBy(api, first)).statusCode).toBe(401)
  const [lasts] = await database.db.query<{ days: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM access.sign_in_code WHERE account_id = $1`,
    [customer.accountId],
  )
  expect(lasts?.days).toBe(invitations.days)
  await database.db.execute('UPDATE access.sign_in_code SET expires_at = now() WHERE account_id = $1', [
    customer.accountId,
  ])
  expect((await enterBy(api, second)).json()).toMatchObject({ error_code: 'INVALID_SIGN_IN_CODE' })
  // One that waited for its server too long is not sent.
  await invite('viewer')
  await database.db.execute(`UPDATE access.person SET invited_at = now() - interval '8 days' WHERE lower(email) = $1`, [
    email,
  ])
  expect(await mailed()).toEqual([])
  expect((await teamOf(customer)).filter((each) => each.email === email)).toMatchObject([{ state: 'invited' }])
})

test('without e-mail nothing is sent, and what is not set up is not offered', async () => {
  const customer = await newCustomer(api, database)
  const ways = async (server: typeof api) => (await server.get('/app/sign-in')).json()
  expect([await ways(api), await ways(mailless)]).toEqual([
    { mailed_link: true, oidc: null, sandbox_crms: true },
    { mailed_link: false, oidc: null, sandbox_crms: false },
  ])
  const invitation = { email: newAddress(), role: 'viewer' }
  expect((await mailless.post('/api/team', customer.token, invitation)).statusCode).toBe(201)
  expect(await mailed()).toEqual([])
  expect((await mailless.get('/api/team', customer.token)).json()).toMatchObject({ mails_invitations: false })
  expect((await api.get('/api/team', customer.token)).json()).toMatchObject({ mails_invitations: true })
})

test('a role counts from the next call on, and who is removed loses sessions and links at once', async () => {
  const customer = await newCustomer(api, database)
  const admin = await ownerOf(api, database, customer.accountId)
  const person = await newPerson(api, database, customer.accountId, 'viewer')
  const watch = { name: 'Goa', watchlist_type: 'company', entities: [] }
  expect((await person.call('POST', '/api/watchlist', watch)).json()).toMatchObject({
    error_code: 'ROLE_MISSING',
    needed_role: 'buyer',
  })
  expect((await admin.call('PATCH', `/api/team/${person.personId}`, { role: 'buyer' })).json().role).toBe('buyer')
  expect((await person.call('POST', '/api/watchlist', watch)).statusCode).toBe(201)
  const code = await codeFor(database, person.personId)
  expect((await admin.call('DELETE', `/api/team/${person.personId}`)).json()).toMatchObject({ removed: true })
  expect((await person.call('GET', '/api/team')).statusCode).toBe(401)
  expect((await enterBy(api, code)).statusCode).toBe(401)
  expect((await admin.call('DELETE', `/api/team/${person.personId}`)).statusCode).toBe(404)
})

test('an account keeps an admin, whoever removes or demotes whom at the same time', async () => {
  const customer = await newCustomer(api, database)
  const owner = await ownerOf(api, database, customer.accountId)
  for (const act of [
    () => owner.call('PATCH', `/api/team/${owner.personId}`, { role: 'buyer' }),
    () => owner.call('DELETE', `/api/team/${owner.personId}`),
  ])
    expect((await act()).json()).toMatchObject({ error_code: 'CONFLICT' })
  // Who has not joined may never come.
  await invited(database, customer.accountId, 'admin')
  expect((await owner.call('DELETE', `/api/team/${owner.personId}`)).statusCode).toBe(409)
  const second = await newPerson(api, database, customer.accountId, 'admin')
  const both = await Promise.all([
    owner.call('PATCH', `/api/team/${second.personId}`, { role: 'viewer' }),
    second.call('PATCH', `/api/team/${owner.personId}`, { role: 'viewer' }),
  ])
  expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const admins = (await teamOf(customer)).filter(({ role, state }) => role === 'admin' && state === 'active')
  expect(admins).toHaveLength(1)
})

test('people of another account are nobody, and an address may be of several accounts, each with a link of its own', async () => {
  const [asha, ravi] = [await newCustomer(api, database), await newCustomer(api, database)]
  const admin = await ownerOf(api, database, asha.accountId)
  const stranger = await newPerson(api, database, ravi.accountId, 'viewer')
  for (const method of ['PATCH', 'DELETE'] as const)
    expect(
      (await admin.call(method, `/api/team/${stranger.personId}`, method === 'PATCH' ? { role: 'admin' } : undefined))
        .statusCode,
    ).toBe(404)
  await admin.call('POST', '/api/team', { email: stranger.email, role: 'buyer' })
  await enterBy(api, codeIn((await mailed())[0]))
  await api.app.inject({
    method: 'POST',
    url: '/app/session/link',
    payload: { email: stranger.email },
    remoteAddress: '10.9.9.1',
  })
  const links = await mailed()
  expect(links.map(({ to }) => to)).toEqual([stranger.email, stranger.email])
  const entered = await Promise.all(links.map((mail) => enterBy(api, codeIn(mail))))
  expect(entered.map((each) => each.json<{ user_id: string }>().user_id).toSorted()).toEqual(
    [asha.accountId, ravi.accountId].toSorted(),
  )
})

test('keys belong to the account, name who made them, and outlive whoever that was', async () => {
  const customer = await newCustomer(api, database)
  const person = await newPerson(api, database, customer.accountId, 'admin')
  const made = (await person.call('POST', '/api/keys', { name: 'nightly' })).json<{
    made_by: string
    prefix: string
    scopes: string[]
  }>()
  expect(made).toMatchObject({
    made_by: expect.stringMatching(/^Person/),
    parent: null,
    scopes: ['read', 'write', 'order', 'deliver'],
  })
  expect((await mailed())[0]?.text).toContain(`by ${made.made_by}:`)
  await api.app.inject({
    method: 'DELETE',
    url: `/api/team/${person.personId}`,
    headers: { authorization: `Bearer ${customer.token}` },
  })
  const { data } = (await api.get('/api/keys', customer.token)).json<{
    data: { prefix: string; made_by: string; revoked_at: null }[]
  }>()
  expect(data.find(({ prefix }) => prefix === made.prefix)).toMatchObject({ made_by: made.made_by, revoked_at: null })
})

test('every other admin gets an e-mail when somebody is invited as an admin, or made one, whoever did it', async () => {
  const customer = await newCustomer(api, database)
  const [owner, second] = [
    await ownerOf(api, database, customer.accountId),
    await newPerson(api, database, customer.accountId, 'admin'),
  ]
  const [buyer, email] = [await newPerson(api, database, customer.accountId, 'buyer'), newAddress()]
  await database.db.execute('DELETE FROM deliver.mail')
  await owner.call('POST', '/api/team', { email, role: 'admin' })
  await owner.call('POST', '/api/team', { email: newAddress(), role: 'buyer' })
  await owner.call('PATCH', `/api/team/${buyer.personId}`, { role: 'viewer' })
  const people = await teamOf(customer)
  const emailOf = (id: string) => people.find(({ person_id }) => person_id === id)?.email ?? ''
  const admins = [owner, second].map(({ personId }) => emailOf(personId)).toSorted()
  const told = async () => (await mailed()).filter(({ subject }) => subject.startsWith('New admin'))
  const [first, ...others] = await told()
  expect([first, ...others].map((mail) => mail?.to).toSorted()).toEqual(admins)
  expect(first?.subject).toMatch(new RegExp(`: ${email}$`))
  expect(first?.text).toContain(`invited ${email} to the Panji account`)
  await api.app.inject({
    ...{ method: 'PATCH', url: `/api/team/${buyer.personId}`, headers: { authorization: `Bearer ${customer.token}` } },
    payload: { role: 'admin' },
  })
  const promoted = await told()
  expect(promoted.map(({ to }) => to).toSorted()).toEqual(admins)
  expect(promoted[0]?.text).toContain(`A program with an API key made ${emailOf(buyer.personId)} an admin`)
})

test('the choice of e-mails names the address that they go to, also once the person of the account’s own is removed', async () => {
  const customer = await newCustomer(api, database)
  const owner = await ownerOf(api, database, customer.accountId)
  const second = await newPerson(api, database, customer.accountId, 'admin')
  const named = async () => [
    (await second.call('GET', '/api/crm/mails')).json().to,
    (await second.call('PUT', '/api/crm/mails', { events: ['order.paid'] })).json().to,
  ]
  expect(await named()).toEqual([owner.email, owner.email])
  expect((await second.call('DELETE', `/api/team/${owner.personId}`)).statusCode).toBe(200)
  await second.call('POST', '/api/keys', { name: 'nightly' })
  expect((await mailed()).map(({ to }) => to)).toEqual([second.email])
  expect(await named()).toEqual([second.email, second.email])
})

test('sessions name their person; a person ends their own, an admin any', async () => {
  const customer = await newCustomer(api, database)
  const viewer = await newPerson(api, database, customer.accountId, 'viewer')
  const again = await signInAs(api, database, viewer.personId)
  const other = await newPerson(api, database, customer.accountId, 'viewer')
  const { data } = (await viewer.call('GET', '/api/sessions')).json<{
    data: { session_id: string; current: boolean; person: { person_id: string } | null; key_prefix: string | null }[]
  }>()
  const of = (personId: string, current = false) =>
    data.find((each) => each.person?.person_id === personId && each.current === current)?.session_id ?? ''
  expect(data.filter(({ person }) => person === null).every(({ key_prefix }) => key_prefix !== null)).toBe(true)
  expect((await viewer.call('DELETE', `/api/sessions/${of(other.personId)}`)).json()).toMatchObject({
    error_code: 'ROLE_MISSING',
  })
  expect((await viewer.call('DELETE', `/api/sessions/${of(viewer.personId)}`)).statusCode).toBe(200)
  expect((await again.call('GET', '/api/team')).statusCode).toBe(401)
  const admin = await ownerOf(api, database, customer.accountId)
  expect((await admin.call('DELETE', `/api/sessions/${of(other.personId)}`)).statusCode).toBe(200)
  expect((await other.call('GET', '/api/team')).statusCode).toBe(401)
})

test('the audit log names the person who acted, by an id that reveals nothing after the account is erased', async () => {
  const customer = await newCustomer(api, database)
  const person = await newPerson(api, database, customer.accountId, 'buyer')
  await signInAs(api, database, person.personId)
  await person.call('POST', '/api/watchlist', { name: 'Goa', watchlist_type: 'company', entities: [] })
  const { data } = (await person.call('GET', '/api/audit?limit=500')).json<{
    data: { action: string; person: string | null; credential: string; actor: string }[]
  }>()
  for (const action of ['join team', 'sign in to app', 'create watchlist'])
    expect(data.find((row) => row.action === action)).toMatchObject({
      actor: 'you',
      person: expect.stringMatching(/^Person/),
      credential: person.personId,
    })
  await database.db.transaction((tx) => eraseAccount(tx, customer.accountId))
  const left = await database.db.query(
    `SELECT FROM access.person WHERE account_id = $1 UNION ALL SELECT FROM access.audit a WHERE a::text LIKE '%' || $2 || '%'`,
    [customer.accountId, person.email],
  )
  expect(left).toEqual([])
})

test('an operator hands out links, of an invitation until it ends, of who has joined for an hour; each stands in the audit log', async () => {
  const customer = await newCustomer(api, database)
  const { personId } = await invited(database, customer.accountId, 'buyer')
  const handOut = () => api.post(`/admin/users/${customer.accountId}/people/${personId}/link`, operatorToken, {})
  const first = (await handOut()).json<{ path: string; expires_at: string }>()
  const hours = ({ expires_at: at }: { expires_at: string }) => Math.round((Date.parse(at) - Date.now()) / 3_600_000)
  expect(hours(first)).toBe(invitations.days * 24)
  expect((await enterBy(api, first.path.split('=')[1] ?? '')).json()).toMatchObject({ person: { role: 'buyer' } })
  expect(hours((await handOut()).json())).toBe(1)
  const { data } = (await api.get('/api/audit', customer.token)).json<{ data: { action: string; actor: string }[] }>()
  expect(data.filter(({ action }) => action === 'hand out link').map(({ actor }) => actor)).toEqual([
    'operator',
    'operator',
  ])
  await database.db.execute(
    `UPDATE access.person SET joined_at = NULL, invited_at = now() - interval '8 days' WHERE person_id = $1`,
    [personId],
  )
  expect((await handOut()).json()).toMatchObject({ error_code: 'CONFLICT' })
  const loot = database
    .as('panji_api')
    .query(`SELECT access.hand_out_link($1, '', 60, $2, 'somebody', '')`, [personId, personId])
  await expect(loot).rejects.toMatchObject({ code: '42501' })
})

test('an account has only so many people and sends only so many invitations a day', async () => {
  const customer = await newCustomer(api, database)
  await database.db.execute(
    `INSERT INTO access.person (account_id, email, name, role) SELECT $1, 'p' || n || '@example.com', 'P', 'viewer' FROM generate_series(2, $2::int) n`,
    [customer.accountId, quotas.free.people],
  )
  const full = await api.post('/api/team', customer.token, { email: newAddress(), role: 'viewer' })
  expect(full.json()).toMatchObject({ error_code: 'QUOTA_EXCEEDED', quota: 'people' })
  await database.db.execute(
    `INSERT INTO deliver.mail (account_id, type, about, data, state, next_attempt_at)
     SELECT $1, 'invitation', 'n' || n, '{}', 'sent', now() FROM generate_series(1, $2::int) n`,
    [customer.accountId, invitations.perDayMax],
  )
  const again = await api.post('/api/team', customer.token, { email: 'p2@example.com', role: 'viewer' })
  expect([again.statusCode, again.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
})
