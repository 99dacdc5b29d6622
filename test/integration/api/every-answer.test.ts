/** Headers and error shape on every route of the document, whatever the answer: success, refusal, wrong method, wrong body. */
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { fillRegisters, known } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type ApiOperation, operationsOf } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
let operations: ApiOperation[]
let customer: LoggedIn
beforeAll(async () => {
  await fillRegisters(database.db)
  operations = await operationsOf(api)
  // The routes that end the account or the session would end the test.
  operations = operations.filter(
    ({ name }) => name !== 'DELETE /api/users/me/account' && name !== 'POST /api/auth/logout',
  )
  customer = await newCustomer(api, database, { isEnterprise: true, plan: 'premium' })
})

const ErrorBody = z.looseObject({ detail: z.string().min(1), error_code: z.string(), request_id: z.string() })
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const urlOf = ({ path }: ApiOperation) => path.replace(/\{[^}]+\}/g, known.uuid)
const bearerFor = ({ guard }: ApiOperation) =>
  guard === 'public' ? {} : { authorization: `Bearer ${guard === 'operator' ? operatorToken : customer.token}` }

function check(name: string, reply: LightMyRequestResponse, status?: number): void {
  if (status !== undefined) expect([name, reply.statusCode]).toEqual([name, status])
  expect([name, reply.headers]).toEqual([
    name,
    expect.objectContaining({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, private',
      'x-request-id': 'every-answer',
    }),
  ])
  if (reply.statusCode < 400) return
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(ErrorBody.parse(reply.json()).request_id).toBe('every-answer')
  const challenge = reply.statusCode === 401 ? 'Bearer realm="panji"' : undefined
  expect([name, reply.headers['www-authenticate']]).toEqual([name, challenge])
}

const headers = { 'x-request-id': 'every-answer' }

test('every operation, called as its document says or without a body, carries the headers and the shape', async () => {
  expect(operations.length).toBeGreaterThan(40)
  for (const operation of operations) {
    const payload = operation.requestBody?.content['application/json']?.example
    const reply = await api.app.inject({
      method: operation.method,
      url: urlOf(operation),
      headers: { ...headers, ...bearerFor(operation) },
      ...(payload === undefined ? {} : { payload: payload as object }),
    })
    expect([operation.name, reply.statusCode < 500]).toEqual([operation.name, true])
    check(operation.name, reply)
  }
})

test('every path refuses a method that it does not have with a 405 that lists those it has', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const url = path.replace(/\{[^}]+\}/g, known.uuid)
    // GET /api/orders/normal is the order of the id "normal".
    const matching = operations.filter((each) => new RegExp(`^${each.path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(url))
    const has = new Set<string>(matching.map(({ method }) => method))
    for (const method of methods.filter((each) => !has.has(each))) {
      const reply = await api.app.inject({ method, url, headers })
      check(`${method} ${path}`, reply, 405)
      for (const each of has) expect(String(reply.headers['allow']).split(', ')).toContain(each)
    }
  }
})

test('every operation with a body refuses one over 1 MiB with 413, and one that is no JSON with 415', async () => {
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined)
  expect(withBody.length).toBeGreaterThan(12)
  const huge = JSON.stringify({ text: 'x'.repeat(1_048_577) })
  for (const operation of withBody) {
    const send = (type: string, payload: string) =>
      api.app.inject({
        method: operation.method,
        url: urlOf(operation),
        headers: { ...headers, ...bearerFor(operation), 'content-type': type },
        payload,
      })
    // What takes a file takes no JSON, of any size.
    const takesJson = operation.requestBody?.content['application/json'] !== undefined
    check(`${operation.name} huge`, await send('application/json', huge), takesJson ? 413 : 415)
    check(`${operation.name} xml`, await send('application/xml', '<a/>'), 415)
    check(`${operation.name} form`, await send('application/x-www-form-urlencoded', 'a=1'), 415)
  }
})

test('paths that do not exist are 404 with the same headers, wherever they lie', async () => {
  for (const url of ['/api', '/api/', '/api/company', '/admin', '/admin/x', '/metrics/x', '/openapi.jsonx']) {
    check(url, await api.app.inject({ url, headers }), 404)
  }
})
