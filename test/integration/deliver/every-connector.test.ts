import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorsOf } from '../../../connectors/index.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { sandboxes } from '../../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { sendTestRow } from '../../../src/deliver/destinations/test-row.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { createFolderSandbox, deliveryDir } from '../../conformance/folder-sandbox.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const { signal } = new AbortController()
const connectors = connectorsOf(deliveryDir)
let queue: QueueHandle
let boxes: Sandbox[]
let server: RunningSandboxes

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
  const crms = sandboxes()
  server = await startSandboxes(crms, { port: 0 })
  boxes = [...crms, createFolderSandbox()]
})
afterAll(async () => {
  await server.close()
  await queue.stop()
})

describe.each(connectors.map(({ name }) => name))('%s', (crm) => {
  test('is planned, delivered and pushed again: one record per lead, and the second push calls nobody', async () => {
    const box = boxes.find((sandbox) => sandbox.crm === crm)
    const parts = { db: database.as('panji_worker'), connectors, secretKey }
    const accountId = await insertAccount(database.db)
    const settings = server.crms.includes(crm) ? server.settings(crm) : box?.settings('')
    const given = { accountId, connector: crm, name: 'CRM', settings }
    const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
    const leads = [gstLead(1), companyLead(1), directorLead(1)]
    const orderId = await insertOrder(database.db, accountId, leads)
    const push = async () => {
      const request = { orderId, destinationId }
      const { pushId } = await database.db.transaction((tx) => requestPush(tx, queue, request))
      await reconcile(parts, destinationId, signal)
      return (await readPush(parts.db, pushId)).counts
    }
    const held = JSON.stringify

    const before = held(box?.records())
    expect(await planPush(parts, { orderId, destinationId }, signal)).toMatchObject({
      counts: { create: 3, reject: 0 },
    })
    expect(held(box?.records()), 'a plan writes nothing').toBe(before)

    expect(await testDestination(parts, destinationId, signal)).toMatchObject({ ok: true })
    expect(await push()).toMatchObject({ created: 3, updated: 0, unchanged: 0, rejected: 0, pending: 0, unknown: 0 })
    for (const { externalId } of leads) expect(held(box?.records())).toContain(externalId)

    const [records, calls] = [held(box?.records()), box?.calls().length]
    expect(await push()).toMatchObject({ created: 0, updated: 0, unchanged: 3, rejected: 0, pending: 0, unknown: 0 })
    expect(held(box?.records())).toBe(records)
    expect(box?.calls().length).toBe(calls)
  })
})

test('salesforce with accounts: a company’s two records are one delivery, linked by its account, and both are recalled', async () => {
  const box = boxes.find((sandbox) => sandbox.crm === 'salesforce')
  box?.reset()
  const of = (object: string) => box?.records().filter((record) => record.object === object) ?? []
  // A conversation whose calls are full with two leads.
  const narrow = connectors.map((each) => ({
    ...each,
    open: (...given: Parameters<typeof each.open>) => Object.assign(each.open(...given), { leadsPerPush: 2 }),
  }))
  const parts = { db: database.as('panji_worker'), connectors: narrow, secretKey }
  const accountId = await insertAccount(database.db)
  const settings = { ...server.settings('salesforce'), object: 'account' }
  const given = { accountId, connector: 'salesforce', name: 'Accounts', settings }
  const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
  const tried = await sendTestRow(parts, destinationId, signal)
  expect(tried).toMatchObject({ ok: true, outcome: 'created', removed: true })
  expect(tried.fields).toMatchObject({
    'Account.Name': 'Panji test row',
    'Contact.Email': 'test-row@panji.example.com',
  })
  expect(box?.records()).toEqual([])

  const leads = [companyLead(2), directorLead(2), companyLead(3)]
  const orderId = await insertOrder(database.db, accountId, leads)
  await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
  await reconcile(parts, destinationId, signal)
  const graphs = box?.calls().filter(({ path }) => path.endsWith('/composite/graph')) ?? []
  const sizes = graphs.map(({ body }) => (body as { graphs: unknown[] }).graphs.length)
  expect(sizes).toEqual([1, 2, 1])
  const account = of('Account').find(({ properties }) => properties['Panji_Id__c'] === companyLead(2).externalId)
  const { deliveries } = await listDeliveries(database.db, { accountId, orderId, limit: 10, offset: 0 })
  const delivered = deliveries.find(({ record }) => record === companyLead(2).externalId)
  expect(delivered).toMatchObject({ outcome: 'created', crm_id: account?.id })
  expect(delivered?.crm_url).toContain(String(account?.id))
  const [kept] = await database.db.query<{ person: string }>(
    `SELECT pushed_values ->> 'Contact.Id' AS person FROM deliver.record WHERE destination_id = $1 AND external_id = $2`,
    [destinationId, companyLead(2).externalId],
  )
  const person = of('Contact').find(({ properties }) => properties['AccountId'] === account?.id)
  expect(kept?.person).toBe(person?.id)

  const objections = readObjection('email', String(companyLead(2).row['Email'])) ?? []
  await database.db.transaction((tx) =>
    addSuppressions(tx, queue, { objections: [objections].flat(), actor: 'operator:asha' }),
  )
  await recallLeads(parts, signal)
  expect(of('Account').map(({ properties }) => properties['Panji_Id__c'])).toEqual([companyLead(3).externalId])
  const people = of('Contact').map(({ properties }) => properties['Panji_Id__c'])
  expect(people).toEqual(expect.arrayContaining([directorLead(2).externalId, companyLead(3).externalId]))
  expect(people).toHaveLength(2)
  await database.db.execute('DELETE FROM access.suppression')
})

test('hubspot with companies that it makes automatically: a director brings one, which no push writes to and no recall deletes', async () => {
  const box = createHubspotSandbox()
  box.makeCompanies()
  const own = await startSandboxes([box], { port: 0 })
  try {
    const parts = { db: database.as('panji_worker'), connectors, secretKey }
    const accountId = await insertAccount(database.db)
    const given = { accountId, connector: 'hubspot', name: 'Companies', settings: own.settings('hubspot') }
    const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
    const { checks } = await testDestination(parts, destinationId, signal)
    expect(checks.find(({ name }) => name === 'set-up')?.detail).toContain(
      'Create and associate companies with contacts',
    )
    const leads = [companyLead(5), directorLead(5), directorLead(6)]
    const deliver = async (given: typeof leads) => {
      const orderId = await insertOrder(database.db, accountId, given)
      await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
      expect(await reconcile(parts, destinationId, signal)).toMatchObject({ failure: null })
    }
    await deliver(leads)
    const companies = () => box.records().filter(({ object }) => object === 'companies')
    const made = companies().filter(({ properties }) => properties['domain'] === 'prabhu.example.com')
    expect(made).toHaveLength(1)
    expect(companies()).toHaveLength(2)

    await deliver([
      companyLead(5, { City: 'Vasco da Gama' }),
      directorLead(5, { City: 'Vasco da Gama' }),
      directorLead(6),
    ])
    expect(companies().filter(({ id }) => id === made[0]?.id)).toEqual(made)
    expect(box.records()).toHaveLength(4)

    const objections = readObjection('email', String(directorLead(5).row['Email'])) ?? []
    await database.db.transaction((tx) =>
      addSuppressions(tx, queue, { objections: [objections].flat(), actor: 'operator:asha' }),
    )
    await recallLeads(parts, signal)
    expect(box.records().map(({ properties }) => properties['panji_id'] ?? 'its own')).toEqual(
      expect.arrayContaining(['its own', companyLead(5).externalId, directorLead(6).externalId]),
    )
    expect(box.records()).toHaveLength(3)
  } finally {
    await own.close()
  }
})
