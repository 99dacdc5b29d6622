/** What deliveries keep of somebody who objected: the CRM's refusals that quote them, and values that were fixed by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { addSuppressions } from '../../src/access/suppressions.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { reconcile } from '../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { recallLeads } from '../../src/deliver/recall/recall-leads.ts'
import { deliveriesCsv } from '../../src/deliver/record/deliveries-csv.ts'
import { listDeliveries, listDeliveriesAfter } from '../../src/deliver/record/list-deliveries.ts'
import { fixRejected } from '../../src/deliver/record/rejected/fix-rejected.ts'
import { summariseDeliveries } from '../../src/deliver/record/summarise-deliveries.ts'
import { readObjection } from '../../src/domain/objection.ts'
import { Secret } from '../../src/domain/secret.ts'
import { addWebhook } from '../../src/notify/webhooks/webhooks.ts'
import { companyLead } from '../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from '../integration/deliver/paid-order.ts'
import { recordJobs } from '../support/api.ts'
import { asOperator, overHttp } from '../support/as-operator.ts'
import { useTestDatabase } from '../support/database.ts'
import { tablesThatHold } from '../support/tables-that-hold.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const queue = recordJobs()
const { signal } = new AbortController()
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes(sandboxes(), { port: 0 })
})
afterAll(() => server.close())

/** Salesforce takes neither for an address, and says so by quoting it. */
const bought = 'asha@nowhere'
const typed = 'asha.naik@nowhere'
const other = 'somebody.else@nowhere'

test('are hidden from the next statement on, and erased by the job; those of anybody else stay', async () => {
  const parts = { db: database.as('panji_worker'), connectors, secretKey }
  const accountId = await insertAccount(database.db)
  const given = { accountId, connector: 'salesforce', name: 'CRM', settings: server.settings('salesforce') }
  const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
  await addWebhook(database.db, secretKey, {
    accountId,
    url: 'https://receiver.example/panji',
    events: ['delivery.rejected'],
  })
  const leads = [companyLead(1, { Email: bought }), companyLead(2, { Email: other }), companyLead(3, { Email: other })]
  const orderId = await insertOrder(database.db, accountId, leads)
  await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
  await reconcile(parts, destinationId, signal)
  const filter = { accountId, limit: 10, offset: 0 }
  const listed = async () =>
    (await listDeliveries(database.db, { ...filter, sort: 'name' })).deliveries.map(({ message }) => message)
  expect(await listed()).toEqual([bought, other, other].map((each) => expect.stringContaining(each)))

  const { deliveries } = await listDeliveries(database.db, { ...filter, sort: 'name' })
  const fixes = [
    { deliveryId: deliveries[1]?.delivery_id ?? '', values: { Email: typed, City: 'Margao' } },
    { deliveryId: deliveries[2]?.delivery_id ?? '', values: { City: 'Vasco' } },
  ]
  expect(await database.db.transaction((tx) => fixRejected(tx, queue, fixes, accountId))).toMatchObject({ fixed: 2 })
  await reconcile(parts, destinationId, signal)
  expect(await listed()).toEqual([bought, typed, other].map((each) => expect.stringContaining(each)))
  expect(await tablesThatHold(database.db, [bought, typed])).toEqual([
    ...['deliver.attempt', 'deliver.delivery', 'deliver.event', 'deliver.record', 'orders.lead'],
  ])

  const objections = [bought, typed].flatMap((text) => readObjection('email', text) ?? [])
  await asOperator(() =>
    database.as('panji_api').transaction((tx) => addSuppressions(tx, queue, { objections, actor: overHttp })),
  )
  expect(await listed()).toEqual(['[hidden]', '[hidden]', expect.stringContaining(other)])
  const now = JSON.stringify([
    await listDeliveriesAfter(database.db, filter, null),
    await summariseDeliveries(database.db, accountId),
    await deliveriesCsv(database.db, (await listDeliveries(database.db, filter)).deliveries),
  ])
  expect([now.includes(bought), now.includes(typed), now.includes(other)]).toEqual([false, false, true])

  await recallLeads(parts, signal)
  expect(await tablesThatHold(database.db, [bought, typed])).toEqual([])
  const fixed = await database.db.query<{ fixes: object | null }>(
    'SELECT fixes FROM deliver.record WHERE destination_id = $1 ORDER BY external_id',
    [destinationId],
  )
  expect(fixed.map(({ fixes: kept }) => Object.keys(kept ?? {}))).toEqual([[], ['City'], ['City']])
  expect(await listed()).toEqual([
    ...[expect.stringContaining('objected'), expect.stringContaining('objected'), expect.stringContaining(other)],
  ])
})
