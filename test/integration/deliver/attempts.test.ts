/** What was sent for a lead, what the CRM answered, and each field before and after, for as long and for those as it is meant. */
import { beforeEach, expect, test } from 'vitest'
import { retention } from '../../../config/retention.ts'
import { issueApiKey } from '../../../src/access/api-keys.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { readAttempts } from '../../../src/deliver/record/attempts/read-attempts.ts'
import { sweepAttempts } from '../../../src/deliver/record/attempts/sweep-attempts.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { logInCustomer, newCustomer, operatorToken, secretKey, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(secretKey)
const api = useApi(world.database)
const { signal } = new AbortController()
const db = () => world.database.db

beforeEach(() => world.stopWorker())

const crms = {
  salesforce: { city: 'City', fault: { match: 'composite/sobjects' } },
  hubspot: { city: 'city', fault: { match: '/batch/upsert' } },
  // Zoho is read by a POST, too: without a match the fault waits for the call that writes.
  zoho: { city: 'City', fault: {} },
} as const
const each = Object.entries(crms).map(([crm, names]) => ({ crm, ...names }))

async function deliver(destinationId: string, leads: Parameters<typeof world.order>[0]) {
  await world.push(await world.order(leads), destinationId)
  await reconcile(world.parts(), destinationId, signal)
}

async function attemptsOf(destinationId: string, externalId: string, isMasked = false) {
  const [row] = await db().query<{ id: string }>(
    'SELECT delivery_id AS id FROM deliver.delivery WHERE destination_id = $1 AND external_id = $2 LIMIT 1',
    [destinationId, externalId],
  )
  return readAttempts(db(), row?.id ?? '', { isMasked })
}

const held = (crm: string, externalId: string) =>
  world
    .box(crm)
    .records()
    .find(({ properties }) => Object.values(properties).includes(externalId))

test.each(each)(
  'in $crm each attempt tells the members that were sent, what the record held before and holds after, and no secret',
  async ({ crm, city }) => {
    const destinationId = await world.addDestination(crm)
    const lead = gstLead(1)
    await deliver(destinationId, [lead, gstLead(2)])
    const [created] = await attemptsOf(destinationId, lead.externalId)
    const id = held(crm, lead.externalId)?.id
    expect(created).toMatchObject({ status: 'created', crm_id: id, code: null })
    expect(created?.fields.find(({ field }) => field === city)).toEqual({
      ...{ field: city, sent: 'North Goa', before: null, after: 'North Goa' },
    })
    const other = gstLead(1, { City: 'Panaji' })
    await deliver(destinationId, [other])
    const [updated, first] = await attemptsOf(destinationId, lead.externalId)
    expect(first).toEqual(created)
    expect(updated?.status).toBe('updated')
    expect(updated?.fields).toContainEqual({ field: city, sent: 'Panaji', before: 'North Goa', after: 'Panaji' })
    expect(updated?.fields.map(({ field }) => field)).not.toContain('LastName')
    const kept = JSON.stringify(await db().query('SELECT * FROM deliver.attempt'))
    for (const [name, value] of Object.entries(world.settings(crm)))
      if (/secret|token|key/.test(name)) expect(kept, name).not.toContain(String(value))
  },
)

test.each(each)(
  'in $crm a refusal is kept in the words of the CRM, and an answer that was lost as unknown, until the record is compared',
  async ({ crm, fault }) => {
    const destinationId = await world.addDestination(crm)
    await deliver(destinationId, [gstLead(1, { Email: 'no address' })])
    const [refused] = await attemptsOf(destinationId, gstLead(1).externalId)
    expect(refused).toMatchObject({ status: 'rejected', crm_id: null })
    expect(refused?.code).not.toBeNull()
    for (const { before, after } of refused?.fields ?? []) expect([before, after]).toEqual([null, null])
    world.box(crm).addFault({ kind: 'reset_after_commit', times: 1, ...fault })
    await deliver(destinationId, [gstLead(2)])
    await world.endWaits()
    await reconcile(world.parts(), destinationId, signal)
    const told = await attemptsOf(destinationId, gstLead(2).externalId)
    expect(told.map(({ status }) => status)).toEqual(['unchanged', 'unknown'])
    expect(told[1]?.fields.every(({ after }) => after === null)).toBe(true)
    expect(told[1]?.fields.length).toBeGreaterThan(0)
  },
)

test('who may not see personal data reads which fields were sent, and no value of them', async () => {
  const destinationId = await world.addDestination('salesforce')
  await deliver(destinationId, [gstLead(1)])
  const [plain] = await attemptsOf(destinationId, gstLead(1).externalId)
  const [masked] = await attemptsOf(destinationId, gstLead(1).externalId, true)
  expect(masked?.fields.map(({ field }) => field)).toEqual(plain?.fields.map(({ field }) => field))
  for (const { sent, before, after } of masked?.fields ?? []) {
    expect(['[hidden]', null, '']).toContain(sent)
    expect([before, after]).toEqual([null, sent])
  }
  expect(masked).toMatchObject({ status: 'created', crm_id: plain?.crm_id })
})

test('a key that delivers reads the values over HTTP, one that only reads does not; neither does a viewer, and an operator does', async () => {
  const owner = await newCustomer(api, world.database)
  const body = { type: 'salesforce', name: 'Org', settings: world.settings('salesforce'), deliver: 'manual' }
  const made = await api.post('/api/crm/destinations', owner.token, body)
  const { destination_id: id } = made.json<{ destination_id: string }>()
  await world.push(await insertOrder(db(), owner.accountId, [gstLead(1)]), id)
  await reconcile(world.parts(), id, signal)
  const found = await api.get(`/api/crm/deliveries?destination_id=${id}`, owner.token)
  const deliveryId = found.json<{ data: { delivery_id: string }[] }>().data[0]?.delivery_id
  const { apiKey } = await db().transaction((tx) => issueApiKey(tx, owner.accountId, { name: 'r', scopes: ['read'] }))
  const reader = await logInCustomer(api, { ...owner, apiKey })
  const viewer = await api.post('/admin/operators', operatorToken, { name: 'ravi', role: 'viewer' })
  const city = async (path: string, token: string) => {
    const reply = await api.get(`${path}/deliveries/${deliveryId}/attempts`, token)
    expect(reply.statusCode, reply.body).toBe(200)
    const { data } = reply.json<{ data: Awaited<ReturnType<typeof readAttempts>> }>()
    return data[0]?.fields.find(({ field }) => field === 'City')?.sent
  }
  expect([
    await city('/api/crm', owner.token),
    await city('/api/crm', reader.token),
    await city('/admin', viewer.json<{ token: string }>().token),
    await city('/admin', operatorToken),
  ]).toEqual(['North Goa', '[hidden]', '[hidden]', 'North Goa'])
  const stranger = await newCustomer(api, world.database)
  expect((await api.get(`/api/crm/deliveries/${deliveryId}/attempts`, stranger.token)).statusCode).toBe(404)
})

test('of a person who objected all attempts go, and a contact that objected is hidden from everybody', async () => {
  const destinationId = await world.addDestination('salesforce')
  const [person, staying] = [directorLead(1), gstLead(3)]
  await deliver(destinationId, [person, staying, gstLead(4)])
  const objected = [
    readObjection('din', String(person.row['DIN'])),
    readObjection('email', String(staying.row['Email'])),
  ].flatMap((found) => [found ?? []].flat())
  await db().transaction((tx) => addSuppressions(tx, world.queue(), { objections: objected, actor: 'operator:asha' }))
  const [hidden] = await attemptsOf(destinationId, staying.externalId)
  expect(hidden?.fields.find(({ field }) => field === 'Email')).toMatchObject({ sent: '[hidden]', after: '[hidden]' })
  await recallLeads(world.parts(), signal)
  for (const { externalId } of [person, staying]) expect(await attemptsOf(destinationId, externalId)).toEqual([])
  expect(await attemptsOf(destinationId, gstLead(4).externalId)).toHaveLength(1)
  for (const table of ['deliver.recall', 'access.suppression']) await db().execute(`DELETE FROM ${table}`)
})

test('attempts go with their account, and otherwise after thirty days', async () => {
  const destinationId = await world.addDestination('salesforce')
  await deliver(destinationId, [gstLead(1), gstLead(2)])
  expect(retention.deliveryAttempts).toBe('30 days')
  await db().execute(
    `UPDATE deliver.attempt SET at = now() - interval '31 days' WHERE destination_id = $1 AND external_id = $2`,
    [...[destinationId, gstLead(1).externalId]],
  )
  const sweep = () => sweepAttempts(world.database.as('panji_worker'), retention.deliveryAttempts)
  expect([await sweep(), await sweep()]).toEqual([1, 0])
  const count = () => db().query('SELECT FROM deliver.attempt WHERE destination_id = $1', [destinationId])
  expect(await count()).toHaveLength(1)
  await db().transaction((tx) => eraseAccount(tx, world.accountId()))
  expect(await count()).toHaveLength(0)
})
