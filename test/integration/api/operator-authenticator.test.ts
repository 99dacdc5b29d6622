import { beforeAll, expect, test } from 'vitest'
import { Secret } from '../../../src/domain/secret.ts'
import { createCustomer, freshAddress, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const ashasToken = 'token-of-asha-the-operator'
const database = useTestDatabase()
let nowMs = 0
const api = useApi(database, [], {
  operators: [{ name: 'asha', token: new Secret(ashasToken) }],
  bucketClock: () => nowMs,
})
let userId: string
beforeAll(async () => {
  userId = (await createCustomer(database.db)).accountId
})

const ask = (token: string, remoteAddress: string, url = '/admin/users') =>
  api.app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${token}` } })

test('ten wrong operator tokens throttle further wrong ones of the address, also when they come in parallel', async () => {
  for (const inParallel of [false, true]) {
    const address = freshAddress()
    const guess = (n: number) => ask(`guess-number-${n}-of-the-test`, address)
    const replies = []
    if (inParallel) replies.push(...(await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)))))
    else for (let n = 0; n < 30; n++) replies.push(await guess(n))
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const wrong = await guess(31)
    expect([wrong.statusCode, wrong.json().error_code]).toEqual([429, 'LOGIN_THROTTLED'])
    expect(Number(wrong.headers['retry-after'])).toBe(90)
    expect((await ask('guess-at-the-metrics', address, '/metrics')).statusCode).toBe(429)
    expect((await ask(operatorToken, address)).statusCode).toBe(200)
    const [noted] = await database.db.query(
      `SELECT actor, subject FROM access.audit WHERE action = 'throttle operator token' AND subject = $1`,
      [address],
    )
    expect(noted).toEqual({ actor: 'system', subject: address })
    await database.db.execute(`UPDATE access.login_failure SET failed_at = failed_at - interval '16 minutes'`)
    nowMs += 16 * 60_000
    expect((await guess(32)).statusCode).toBe(401)
  }
})

test('a wrong token of an address that has guessed too often is refused before any work, the right one is not', async () => {
  const address = freshAddress()
  for (let n = 0; n < 10; n++) await ask(`guess-number-${n}-of-the-test`, address)
  const held = await database.db.transaction(async (tx) => {
    // Whoever counted a failure would wait for this.
    await tx.execute('LOCK TABLE access.login_failure, access.operator IN ACCESS EXCLUSIVE MODE')
    return [await ask('guess-number-11-of-the-test', address), await ask(operatorToken, address, '/metrics')]
  })
  expect(held.map(({ statusCode }) => statusCode)).toEqual([429, 200])
})

test('guesses of operator tokens and failed logins are counted apart, and a missing token is no guess', async () => {
  const address = freshAddress()
  const login = { method: 'POST', url: '/api/auth/login', remoteAddress: address } as const
  for (let n = 0; n < 10; n++) await api.app.inject({ ...login, payload: { api_key: `wrong-${n}` } })
  expect((await api.app.inject({ ...login, payload: { api_key: 'wrong' } })).statusCode).toBe(429)
  for (let n = 0; n < 15; n++) await api.app.inject({ url: '/admin/users', remoteAddress: address })
  expect((await ask(operatorToken, address)).statusCode).toBe(200)

  const guessing = freshAddress()
  for (let n = 0; n < 10; n++) await ask('a-wrong-operator-token', guessing)
  expect((await ask('a-wrong-operator-token', guessing)).statusCode).toBe(429)
  const refused = await api.app.inject({ ...login, remoteAddress: guessing, payload: { api_key: 'wrong' } })
  expect(refused.statusCode).toBe(401)
})

test('the audit log names the operator of each act, and lists the acts of all of them together', async () => {
  const path = `/admin/users/${userId}`
  await api.post(`${path}/suspend`, ashasToken)
  await api.post(`${path}/unsuspend`, operatorToken)
  const blocked = await api.post('/admin/security/block-ip', ashasToken, { ip: '10.200.0.1' })
  await api.post('/admin/security/unblock-ip', operatorToken, { ip: '10.200.0.1' })
  expect(blocked.json().blocked_by).toBe('operator:asha')
  const acts = async (query: string) =>
    (await api.get(`/admin/audit?kind=act&${query}`, operatorToken))
      .json<{ data: { actor: string; action: string }[] }>()
      .data.map(({ actor, action }) => `${actor} ${action}`)
  expect((await acts(`subject=${userId}`)).slice(0, 2)).toEqual([
    'operator:default unsuspend account',
    'operator:asha suspend account',
  ])
  expect(await acts('actor=operator:asha')).toEqual(['operator:asha block address', 'operator:asha suspend account'])
  const all = await acts('actor=operator&limit=100')
  expect(all).toContain('operator:asha suspend account')
  expect(all).toContain('operator:default unblock address')
  // Made by the helper of the tests as at the command line.
  expect(all).toContain('operator create account')
})

test('a named token opens what the default one opens, and no account token does', async () => {
  const { token } = await newCustomer(api, database)
  for (const url of ['/admin/users', '/admin/audit', '/metrics']) {
    expect((await ask(ashasToken, freshAddress(), url)).statusCode).toBe(200)
    expect((await ask(token, freshAddress(), url)).statusCode).toBe(401)
  }
})
