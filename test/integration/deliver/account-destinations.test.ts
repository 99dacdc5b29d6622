/** An operator connects a CRM to an account over HTTP, tests, pauses, resumes and removes it; the account has it as one of its own, and nobody else. */
import { expect, test } from 'vitest'
import { secretKey as apiKey, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)
const deleteAt = (url: string) =>
  api.app.inject({ method: 'DELETE', url, headers: { authorization: `Bearer ${operatorToken}` } })

test('a CRM that an operator connects, pauses, resumes or removes is the account’s own, and no other account’s', async () => {
  const customer = await newCustomer(api, world.database)
  const other = await newCustomer(api, world.database)
  const kinds = (await api.get('/admin/destinations/kinds', operatorToken)).json()
  expect(kinds).toEqual((await api.get('/api/crm/kinds', customer.token)).json())

  const path = `/admin/users/${customer.accountId}/destinations`
  const body = { type: 'salesforce', name: 'Sales', settings: world.settings('salesforce'), deliver: 'manual' }
  const made = await api.post(path, operatorToken, body)
  expect(made.statusCode, made.body).toBe(201)
  const { destination_id: id } = made.json()
  expect(made.json().settings).toMatchObject({ client_secret: '[hidden]' })
  expect((await api.post(path, operatorToken, body)).statusCode).toBe(409)
  expect((await api.post(`${path}/${id}/test`, operatorToken)).json()).toMatchObject({ ok: true })
  const listed = (await api.get(path, operatorToken)).json()
  expect(listed).toEqual((await api.get('/api/crm/destinations', customer.token)).json())
  expect(listed.data).toMatchObject([{ destination_id: id, name: 'Sales', status: 'active' }])

  const theirs = `/admin/users/${other.accountId}/destinations`
  expect((await api.get(theirs, operatorToken)).json()).toEqual({ data: [] })
  expect((await api.post(`${theirs}/${id}/test`, operatorToken)).statusCode).toBe(404)
  expect((await api.get(`/api/crm/destinations/${id}`, other.token)).statusCode).toBe(404)
  for (const act of ['pause', 'resume']) {
    expect((await api.post(`${theirs}/${id}/${act}`, operatorToken)).statusCode).toBe(404)
  }
  expect((await deleteAt(`${theirs}/${id}`)).statusCode).toBe(404)

  const state = async () => (await api.get(`/api/crm/destinations/${id}`, customer.token)).json()
  expect((await api.post(`${path}/${id}/pause`, operatorToken)).json()).toMatchObject({ status: 'paused' })
  expect(await state()).toMatchObject({ status: 'paused', status_reason: 'paused by request' })
  expect((await api.post(`${path}/${id}/resume`, operatorToken)).json()).toMatchObject({ status: 'active' })
  expect(await state()).toMatchObject({ status: 'active', status_reason: null })
  expect((await deleteAt(`${path}/${id}`)).statusCode).toBe(200)
  expect((await api.get(path, operatorToken)).json()).toEqual({ data: [] })

  const rows = await world.database.db.query('SELECT actor FROM access.audit WHERE operation = $1', [
    'createAccountDestination',
  ])
  expect(rows).toContainEqual({ actor: 'operator:default' })
})
