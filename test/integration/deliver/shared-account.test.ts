/** Two destinations of one account that lead into the same account of a CRM: neither is refused, and who connects is told. */
import { expect, test } from 'vitest'
import { type LoggedIn, newCustomer, operatorToken, secretKey, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld(secretKey)
const api = useApi(world.database)

const add = async ({ token }: LoggedIn, crm: string, name: string) => {
  const body = { type: crm, name, settings: world.settings(crm), deliver: 'manual' }
  const reply = await api.post('/api/crm/destinations', token, body)
  expect([reply.statusCode, reply.json().notice]).toEqual([201, null])
  return reply.json().destination_id as string
}
const tested = async ({ token }: LoggedIn, id: string) => {
  const reply = await api.post(`/api/crm/destinations/${id}/test`, token, {})
  expect(reply.statusCode, reply.body).toBe(200)
  const { ok, checks } = reply.json()
  return { ok, shared: checks.find(({ name }: { name: string }) => name === 'shared account') }
}
const noticeOf = async ({ token }: LoggedIn, id: string) =>
  (await api.get(`/api/crm/destinations/${id}`, token)).json().notice

test.each(['salesforce', 'hubspot', 'zoho'])(
  'a second destination into the same account of %s is told so by its test, its answer and the list, until the other is gone',
  async (crm) => {
    const [customer, other] = [await newCustomer(api, world.database), await newCustomer(api, world.database)]
    const first = await add(customer, crm, 'Sales')
    expect(await tested(customer, first)).toEqual({ ok: true, shared: undefined })
    expect(await noticeOf(customer, first)).toBeNull()
    const second = await add(customer, crm, 'Marketing')
    // What account its CRM calls its own is not known before it was asked.
    expect(await noticeOf(customer, second)).toBeNull()
    const account = (await api.get(`/api/crm/destinations/${first}`, customer.token)).json().remote_account
    const { ok, shared } = await tested(customer, second)
    expect([ok, shared?.ok]).toEqual([true, true])
    expect(shared.detail).toContain(`“Sales” leads into ${account}, too`)
    expect(await noticeOf(customer, second)).toBe(shared.detail)
    expect(await noticeOf(customer, first)).toContain('“Marketing” leads into')
    const listed = (await api.get(`/admin/users/${customer.accountId}/destinations`, operatorToken)).json().data
    expect(listed.map(({ notice }: { notice: string | null }) => notice !== null)).toEqual([true, true])
    // What others connect is nobody's business.
    const theirs = await add(other, crm, 'Theirs')
    expect(await tested(other, theirs)).toEqual({ ok: true, shared: undefined })
    expect(await noticeOf(other, theirs)).toBeNull()
    expect(JSON.stringify(await noticeOf(customer, first))).not.toContain('Theirs')
    const third = await add(customer, crm, 'Service')
    expect((await tested(customer, third)).shared.detail).toContain(`“Sales” and “Marketing” lead into ${account}, too`)
    for (const id of [second, third])
      await api.app.inject({
        method: 'DELETE',
        url: `/api/crm/destinations/${id}`,
        headers: { authorization: `Bearer ${customer.token}` },
      })
    expect(await tested(customer, first)).toEqual({ ok: true, shared: undefined })
    expect(await noticeOf(customer, first)).toBeNull()
  },
)

test('CRMs of different kinds and different accounts of one are told of nothing', async () => {
  const customer = await newCustomer(api, world.database)
  const [one, two] = [await add(customer, 'hubspot', 'HubSpot'), await add(customer, 'zoho', 'Zoho')]
  for (const id of [one, two]) expect(await tested(customer, id)).toEqual({ ok: true, shared: undefined })
  const moved = await add(customer, 'zoho', 'Another')
  await world.database.db.execute(
    `UPDATE deliver.destination SET verified_account = 'another' WHERE destination_id = $1`,
    [moved],
  )
  for (const id of [one, two, moved]) expect(await noticeOf(customer, id)).toBeNull()
})
