/** A person with a second factor: a stolen link alone opens nothing, and neither does a code that was seen. */
import { expect, test } from 'vitest'
import { keyScopes } from '../../src/domain/key-scope.ts'
import { signInChangedText } from '../../src/notify/mails/sign-in-changed-mail.ts'
import { freshAddress, logInCustomer, newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { codeFor, enterBy, factorOf, newPerson, ownerOf, secretIn, totpOf } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)

async function someone() {
  const { accountId } = await newCustomer(api, database)
  const person = await newPerson(api, database, accountId, 'viewer')
  return { person, ...(await factorOf(database, person)) }
}

const enter = (code: string, totp?: string) =>
  api.app.inject({
    method: 'POST',
    url: '/app/session',
    payload: { code, ...(totp && { totp }) },
    remoteAddress: freshAddress(),
  })

test('the link alone lets nobody in and stays good; with a code it does, and neither opens again', async () => {
  const { person, secret } = await someone()
  const link = await codeFor(database, person.personId)
  for (const answer of [await enter(link), await enter(link, '000000')])
    expect([answer.statusCode, answer.json().error_code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  const totp = await totpOf(database, secret, 0)
  expect((await enter(link, totp)).statusCode).toBe(201)
  expect((await enter(link, await totpOf(database, secret, 1))).json().error_code).toBe('INVALID_SIGN_IN_CODE')
  const another = await codeFor(database, person.personId)
  expect((await enter(another, totp)).json().error_code).toBe('SECOND_FACTOR_REQUIRED')
})

test('each recovery code opens once, in any order, and the newest ten are all there are', async () => {
  const { person, secret, recovery } = await someone()
  expect(new Set(recovery).size).toBe(10)
  const [first = '', second = ''] = recovery
  for (const [code, status] of [
    [second, 201],
    [second, 401],
    [first, 201],
  ] as const)
    expect((await enter(await codeFor(database, person.personId), code)).statusCode).toBe(status)
  await person.call('POST', '/api/second-factor/confirm', { totp: await totpOf(database, secret, 0) })
  expect((await enter(await codeFor(database, person.personId), recovery[4])).statusCode).toBe(401)
})

test('codes are taken as people type them: in capitals, with spaces, and without the hyphens of a recovery code', async () => {
  const { person, secret, recovery } = await someone()
  const [first = '', second = '', third = ''] = recovery
  const shown = (await totpOf(database, secret, 0)).replace(/^.../, '$& ')
  for (const [typed, status] of [
    [first.toUpperCase(), 201],
    [second.replaceAll('-', ''), 201],
    [` ${third.replaceAll('-', ' ')}`, 201],
    [first, 401],
    [third.slice(1), 400],
    [shown, 201],
  ] as const)
    expect([typed, (await enter(await codeFor(database, person.personId), typed)).statusCode]).toEqual([typed, status])
})

test('the secret lies sealed, the recovery codes hashed, and nothing of a person’s factor outlives the person', async () => {
  const { person, secret, recovery } = await someone()
  const stored = JSON.stringify(
    await database.db.query(
      'SELECT t::text AS row FROM access.person_totp t UNION ALL SELECT r::text FROM access.recovery_code r',
    ),
  )
  for (const text of [secret, secretIn(secret).toString('hex'), ...recovery]) expect(stored).not.toContain(text)
  await database.db.execute('DELETE FROM access.session WHERE person_id = $1', [person.personId])
  await database.db.execute('DELETE FROM access.sign_in_code WHERE person_id = $1', [person.personId])
  await database.db.execute('DELETE FROM deliver.mail WHERE person_id = $1', [person.personId])
  await database.db.execute('DELETE FROM access.person WHERE person_id = $1', [person.personId])
  const left = await database.db.query(
    `SELECT person_id FROM access.person_totp WHERE person_id = $1 UNION ALL SELECT person_id FROM access.recovery_code WHERE person_id = $1`,
    [person.personId],
  )
  expect(left).toEqual([])
})

test('guessing codes is slowed down for that person, and the right one waits too, whoever brought the link', async () => {
  const { person, secret } = await someone()
  const link = await codeFor(database, person.personId)
  for (let n = 0; n < 10; n += 1) await enter(link, String(n).padStart(6, '0'))
  const slowed = await enter(link, await totpOf(database, secret, 0))
  expect([slowed.statusCode, slowed.json().error_code]).toEqual([429, 'LOGIN_THROTTLED'])
  const other = await someone()
  expect(
    (await enter(await codeFor(database, other.person.personId), await totpOf(database, other.secret, 0))).statusCode,
  ).toBe(201)
})

test('a wrong code within a session is no end of it, and only a right one removes the factor', async () => {
  const { person, secret, recovery } = await someone()
  expect((await person.call('POST', '/api/second-factor', {})).statusCode).toBe(409)
  const wrong = await person.call('DELETE', '/api/second-factor', { totp: '000000' })
  expect([wrong.statusCode, (await person.call('GET', '/api/team')).statusCode]).toEqual([422, 200])
  expect((await person.call('DELETE', '/api/second-factor', { totp: recovery[0] })).statusCode).toBe(200)
  expect((await enter(await codeFor(database, person.personId))).statusCode).toBe(201)
  expect(
    (await person.call('DELETE', '/api/second-factor', { totp: await totpOf(database, secret, 0) })).statusCode,
  ).toBe(422)
})

test('where an admin requires it, who has none does nothing else before adding one; keys are not asked', async () => {
  const customer = await newCustomer(api, database)
  const admin = await ownerOf(api, database, customer.accountId)
  const viewer = await newPerson(api, database, customer.accountId, 'viewer')
  const require = (required: boolean) => admin.call('PUT', '/api/team/rules', { second_factor_required: required })
  expect((await require(true)).json()).toMatchObject({ error_code: 'CONFLICT' })
  await factorOf(database, admin)
  expect((await require(true)).statusCode).toBe(200)
  const refused = await viewer.call('GET', '/api/watchlist')
  expect([refused.statusCode, refused.json().error_code]).toEqual([403, 'SECOND_FACTOR_MISSING'])
  expect((await viewer.call('GET', '/app/session')).json()).toMatchObject({ must_add_second_factor: true })
  expect((await enterBy(api, await codeFor(database, viewer.personId))).json()).toMatchObject({
    must_add_second_factor: true,
  })
  expect((await api.get('/api/watchlist', customer.token)).statusCode).toBe(200)
  await factorOf(database, viewer)
  expect((await viewer.call('GET', '/api/watchlist')).statusCode).toBe(200)
  // Lost: an admin removes it, and they add another.
  expect((await viewer.call('DELETE', `/api/team/${admin.personId}/second-factor`)).json().error_code).toBe(
    'ROLE_MISSING',
  )
  expect((await admin.call('DELETE', `/api/team/${viewer.personId}/second-factor`)).statusCode).toBe(200)
  expect((await viewer.call('GET', '/api/watchlist')).json().error_code).toBe('SECOND_FACTOR_MISSING')
})

test('an admin removes the own factor with a code of it alone, as everybody; another admin removes it without, a key never', async () => {
  const customer = await newCustomer(api, database)
  const admin = await ownerOf(api, database, customer.accountId)
  const second = await newPerson(api, database, customer.accountId, 'admin')
  const reset = `/api/team/${admin.personId}/second-factor`
  await factorOf(database, admin)
  const refused = await admin.call('DELETE', reset)
  expect([refused.statusCode, refused.json().error_code]).toEqual([409, 'CONFLICT'])
  expect((await enter(await codeFor(database, admin.personId))).json().error_code).toBe('SECOND_FACTOR_REQUIRED')
  const whole = { scopes: keyScopes }
  const { api_key: apiKey } = (await admin.call('POST', '/api/keys', whole)).json<{ api_key: string }>()
  const made = await logInCustomer(api, { accountId: customer.accountId, apiKey })
  for (const token of [customer.token, made.token]) {
    const byKey = await api.app.inject({
      ...{ method: 'DELETE', url: reset, headers: { authorization: `Bearer ${token}` } },
    })
    expect([byKey.statusCode, byKey.json().error_code]).toEqual([409, 'CONFLICT'])
  }
  expect((await enter(await codeFor(database, admin.personId))).json().error_code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await second.call('DELETE', reset)).statusCode).toBe(200)
  expect((await enter(await codeFor(database, admin.personId))).statusCode).toBe(201)
})

test('a key has no second factor of its own', async () => {
  const { token } = await newCustomer(api, database)
  for (const [url, payload] of [
    ['/api/second-factor', {}],
    ['/api/second-factor/confirm', { totp: '123456' }],
  ] as const)
    expect((await api.post(url, token, payload)).json()).toMatchObject({ error_code: 'CONFLICT' })
})

test('a person is e-mailed about each change to the second factor, and by whom, whatever e-mails the account has chosen', async () => {
  const customer = await newCustomer(api, database)
  const admin = await ownerOf(api, database, customer.accountId)
  const viewer = await newPerson(api, database, customer.accountId, 'viewer')
  const told = async () => {
    const rows = await database.db.query<{ to: string; data: Record<string, string> }>(
      `SELECT person_id AS "to", data FROM deliver.mail WHERE account_id = $1 AND type = 'sign-in-changed' ORDER BY created_at`,
      [customer.accountId],
    )
    return rows.map(({ to, data }) => [to, data['change'], data['by'], signInChangedText(data)?.subject])
  }
  await viewer.call('POST', '/api/second-factor', {})
  expect(await told()).toEqual([])
  const { secret, recovery } = await factorOf(database, viewer)
  const added = [viewer.personId, 'factor-added', 'person', 'A second factor was added to your Panji sign-in']
  expect(await told()).toEqual([added])
  await viewer.call('POST', '/api/second-factor/confirm', { totp: await totpOf(database, secret, 0) })
  const renewed = [viewer.personId, 'codes-renewed', 'person', 'New recovery codes for your Panji sign-in']
  expect(await told()).toEqual([added, renewed])
  expect((await viewer.call('DELETE', '/api/second-factor', { totp: recovery[0] })).statusCode).toBe(422)
  await admin.call('DELETE', `/api/team/${viewer.personId}/second-factor`)
  const removed = [viewer.personId, 'factor-removed', 'admin', 'The second factor was removed from your Panji sign-in']
  expect(await told()).toEqual([added, renewed, removed])
  const { text = '' } = signInChangedText({ account: 'Coral', change: 'factor-removed', by: 'admin' }) ?? {}
  expect(text).toContain('The change was made by an admin of your account.')
  expect(signInChangedText({ change: 'of another version' })).toBeUndefined()
})
