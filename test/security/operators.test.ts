/** Operators as rows: roles, tokens stored hashed and shown once, and who did what. */
import { expect, test } from 'vitest'
import { Secret } from '../../src/domain/secret.ts'
import { createCustomer, freshAddress, operatorToken, useApi } from '../support/api.ts'
import { known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { operationsOf } from '../support/openapi.ts'

const ashasToken = 'token-of-asha-the-operator'
const database = useTestDatabase()
const api = useApi(database, [], { operators: [{ name: 'asha', token: new Secret(ashasToken) }] })

async function add(name: string, role: string, token = operatorToken): Promise<string> {
  const reply = await api.post('/admin/operators', token, { name, role })
  expect([reply.statusCode, reply.json().name]).toEqual([201, name])
  return reply.json<{ token: string }>().token
}
const remove = (url: string, token: string) =>
  api.app.inject({ method: 'DELETE', url, headers: { authorization: `Bearer ${token}` } })

test('a viewer reads everything under /admin and changes nothing, whatever the operation', async () => {
  const viewer = await add('vera', 'viewer')
  const operations = (await operationsOf(api)).filter(
    // Everybody may end their own sessions at a browser: test/security/browser-sessions.test.ts.
    ({ guard, path }) => guard === 'operator' && !path.startsWith('/console/'),
  )
  const statuses = new Map<string, number>()
  for (const { name, method, path, requestBody } of operations) {
    const payload = requestBody?.content['application/json']?.example
    const reply = await api.app.inject({
      method,
      url: path.replace(/\{\w+\}/g, known.uuid),
      headers: { authorization: `Bearer ${viewer}` },
      ...(payload === undefined ? {} : { payload: payload as object }),
    })
    statuses.set(name, reply.statusCode)
    if (reply.statusCode === 403) expect([name, reply.json().error_code]).toEqual([name, 'OPERATOR_ROLE_MISSING'])
  }
  expect(statuses.size).toBeGreaterThan(12)
  for (const [name, status] of statuses) {
    const reads = name.startsWith('GET ') && name !== 'GET /admin/operators'
    expect([name, status === 403]).toEqual([name, !reads])
  }
})

test('an operator acts, and does not decide who the operators are', async () => {
  const token = await add('otto', 'operator')
  const { accountId } = await createCustomer(database.db)
  expect((await api.post(`/admin/users/${accountId}/suspend`, token)).statusCode).toBe(200)
  expect((await api.post('/admin/security/block-ip', token, { ip: '10.200.0.9' })).json().blocked_by).toBe(
    'operator:otto',
  )
  for (const reply of [
    await api.get('/admin/operators', token),
    await api.post('/admin/operators', token, { name: 'mallory', role: 'owner' }),
    await remove('/admin/operators/otto', token),
  ]) {
    expect([reply.statusCode, reply.json().required_role]).toEqual([403, 'owner'])
    expect(reply.json().detail).toContain('owner')
  }
  const { data } = (await api.get('/admin/audit?actor=operator:otto&kind=act', operatorToken)).json()
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['block address', 'suspend account'])
})

test('a token is stored hashed, shown once, and opens nothing once it is revoked', async () => {
  const token = await add('olga', 'owner')
  const rows = await database.db.query<{ text: string }>('SELECT o::text AS text FROM access.operator o')
  expect(rows.map(({ text }) => text).join()).not.toContain(token.slice(9))
  const list = await api.get('/admin/operators', token)
  expect(list.body).not.toContain(token)
  expect(list.json().data).toContainEqual({
    name: 'olga',
    role: 'owner',
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    revoked_at: null,
  })
  const second = await add('second', 'viewer', token)
  expect((await api.get('/metrics', second)).statusCode).toBe(200)
  expect((await remove('/admin/operators/olga', ashasToken)).json()).toMatchObject({ revoked_at: expect.any(String) })
  const refused = await api.app.inject({
    url: '/admin/users',
    remoteAddress: freshAddress(),
    headers: { authorization: `Bearer ${token}` },
  })
  expect(refused.statusCode).toBe(401)
  expect((await remove('/admin/operators/olga', operatorToken)).statusCode).toBe(404)
  expect((await api.get(`/admin/audit?subject=operator:olga`, operatorToken)).json().data).toMatchObject([
    { actor: 'operator:asha', action: 'revoke operator', detail: { role: 'owner' } },
    { actor: 'operator:default', action: 'add operator', detail: { role: 'owner' } },
  ])
  // The name is free again for the one who comes back.
  await add('olga', 'viewer')
})

test('names of the environment, of living operators and of another form are refused', async () => {
  await add('taken', 'viewer')
  for (const [name, status] of [
    ['taken', 409],
    ['default', 409],
    ['metrics', 409],
    ['asha', 409],
    ['Ravi', 422],
    ['a b', 422],
    ['', 422],
  ] as const) {
    const reply = await api.post('/admin/operators', operatorToken, { name, role: 'viewer' })
    expect([name, reply.statusCode]).toEqual([name, status])
  }
  expect((await api.post('/admin/operators', operatorToken, { name: 'ravi', role: 'root' })).statusCode).toBe(400)
})
