/** A destination that keeps its records fresh is sent what imports change on them; all others get what was bought, and no more. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { setExcludesPreferences } from '../../../src/access/contact-rules.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { showDestination } from '../../../src/deliver/destinations/destination-view.ts'
import {
  addDestination,
  pauseDestination,
  resumeDestination,
  updateDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { markChanged } from '../../../src/deliver/fresh/mark-changed.ts'
import { notifyOfRefreshes } from '../../../src/deliver/fresh/notify-of-refreshes.ts'
import { refreshDelivered } from '../../../src/deliver/fresh/refresh-delivered.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { readRowsAgain } from '../../../src/leads/read-again.ts'
import { addWebhook, listEvents } from '../../../src/notify/webhooks/webhooks.ts'
import { refundItems } from '../../../src/orders/ledger.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { cinOf, companies, type SnapshotRow, snapshotFiles } from '../../support/company-snapshots.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { gstinOf, insertContact } from '../orders/world.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const ingest = useIngest(world.database)
const snapshot = snapshotFiles(ingest)
const { signal } = new AbortController()
const db = () => world.database.db
const worker = () => world.database.as('panji_worker')

beforeEach(async () => {
  await world.stopWorker()
  await emptyRegisters(db())
})
afterEach(() => db().execute('TRUNCATE deliver.event CASCADE'))

async function imported(rows: readonly SnapshotRow[]): Promise<number> {
  const run = await ingest.ingest('mca-companies', snapshot(rows), { mode: 'delta' })
  expect([run.status, run.error]).toEqual(['succeeded', null])
  return run.run_id
}

/** An order of these companies with what the register says of them now. */
const bought = (...numbers: number[]): Promise<string> =>
  boughtAs(numbers.map((n) => ({ ...companyLead(n), externalId: `company:${cinOf(n)}` })))

async function boughtAs(leads: readonly OutgoingLead[]): Promise<string> {
  const orderId = await world.order(leads)
  await db().execute('DELETE FROM orders.lead WHERE order_id = $1', [orderId])
  await buildLeads(db(), { orderId, leadSource: 'Panji', refund: async () => {} })
  return orderId
}

const destination = async (crm: string, keep: 'fresh' | 'delivered' = 'fresh', over = {}) =>
  (
    await addDestination(db(), world.connectors, world.secretKey, {
      ...{ accountId: world.accountId(), connector: crm, name: `${crm} ${keep}`, keep },
      settings: { ...world.settings(crm), ...over },
    })
  ).destination_id

async function deliver(orderId: string, ...destinations: string[]): Promise<void> {
  for (const id of destinations) {
    await world.push(orderId, id)
    await work(id)
  }
}

const work = async (id: string) => expect(await reconcile(world.parts(), id, signal)).toMatchObject({ failure: null })

/** As the jobs do after an import. @returns how many records are due. */
async function evaluated(runId: number): Promise<number> {
  await markChanged(worker(), runId)
  return refresh()
}
const refresh = async () =>
  (
    await refreshDelivered(worker(), world.queue(), (tx, items) =>
      readRowsAgain(tx, items, 'Panji', { unreachable: true }),
    )
  ).due

const held = (crm: string, n: number) =>
  world
    .box(crm)
    .records()
    .find(({ properties }) => Object.values(properties).includes(`company:${cinOf(n)}`))
const says = (crm: string, n: number, text: string) => JSON.stringify(held(crm, n)?.properties).includes(text)

async function reachable(...numbers: number[]) {
  for (const n of numbers)
    await insertContact(db(), 'company', cinOf(n), { mobile: `+9198123${String(n).padStart(5, '0')}` })
}

test.each(['salesforce', 'hubspot', 'zoho'])(
  'in %s an import reaches the records that a fresh destination holds, once each and free, and a record that it left alone or that another destination holds is not called for',
  async (crm) => {
    await imported(companies(1, 4))
    await reachable(1, 2, 3)
    const [fresh, plain] = [await destination(crm), await destination(crm, 'delivered')]
    const orderId = await bought(1, 2)
    await world.charge(orderId)
    await deliver(orderId, fresh)
    await deliver(await bought(3), plain)
    const credits = () => db().query('SELECT * FROM ledger.account ORDER BY 1')
    const before = await credits()
    const calls = () => world.box(crm).calls().length
    const runId = await imported(companies(1, 4, { capital: 777_777 }).filter(({ n }) => n !== 2))
    expect(await evaluated(runId)).toBe(1)
    await work(fresh)
    expect([1, 2, 3].map((n) => says(crm, n, '777777'))).toEqual([true, false, false])
    expect(await credits()).toEqual(before)
    const [record] = await db().query(
      `SELECT state, outcome, reading_run_id AS "runId" FROM deliver.record WHERE destination_id = $1 AND external_id = $2`,
      [fresh, `company:${cinOf(1)}`],
    )
    expect(record).toEqual({ state: 'acknowledged', outcome: 'updated', runId })
    const called = calls()
    // Asked again about the same import, and about one that says nothing new.
    expect(await evaluated(runId)).toBe(0)
    expect(await evaluated(await imported(companies(3, 4, { capital: 5 })))).toBe(0)
    await work(fresh)
    expect(calls()).toBe(called)
  },
)

test('a field that a rep edited stays, and what the register says of the others is written', async () => {
  await imported(companies(1, 1))
  await reachable(1)
  const fresh = await destination('salesforce')
  await deliver(await bought(1), fresh)
  world.box('salesforce').edit(held('salesforce', 1)?.id ?? '', { Company: 'Typed by a rep' })
  await evaluated(await imported([{ n: 1, name: 'RENAMED PRIVATE LIMITED', status: 'Strike Off', capital: 5 }]))
  await work(fresh)
  expect(held('salesforce', 1)?.properties).toMatchObject({
    ...{ Company: 'Typed by a rep', LastName: 'RENAMED PRIVATE LIMITED' },
    ...{ Registry_Status__c: 'Struck Off', Paid_Up_Capital__c: 5 },
  })
})

test('an import that waits for approval sends nothing, and one that is undone sends what was true before', async () => {
  await imported(companies(1, 20))
  await reachable(1)
  const fresh = await destination('salesforce')
  await deliver(await bought(1), fresh)
  const waiting = await ingest.ingest('mca-companies', snapshot(companies(1, 2, { capital: 999_999 })), {
    mode: 'snapshot',
  })
  expect(waiting.status).toBe('needs_approval')
  expect(await evaluated(waiting.run_id)).toBe(0)
  await db().execute(`UPDATE ingest.run SET status = 'cancelled' WHERE run_id = $1`, [waiting.run_id])

  const wrong = await imported(companies(1, 1, { capital: 888_888 }))
  expect(await evaluated(wrong)).toBe(1)
  await work(fresh)
  expect(says('salesforce', 1, '888888')).toBe(true)
  const undo = await requestUndo(db(), ingest.queue, {
    runId: wrong,
    through: false,
    reason: 'wrong file',
    requestedBy: 'operator',
  })
  await runSnapshot(ingest.dependencies(), undo.run_id)
  expect(await evaluated(undo.run_id)).toBe(1)
  await work(fresh)
  expect([says('salesforce', 1, '888888'), says('salesforce', 1, '100000')]).toEqual([false, true])
})

test('a record that waits is brought to what is true now, and one that is in flight follows once it is answered', async () => {
  await imported(companies(1, 2))
  await reachable(1, 2)
  const fresh = await destination('salesforce')
  await deliver(await bought(1, 2), fresh)
  await pauseDestination(world.parts(), fresh)
  await evaluated(await imported(companies(1, 2, { capital: 1 })))
  await db().execute(`UPDATE deliver.record SET state = 'sending' WHERE destination_id = $1 AND external_id = $2`, [
    ...[fresh, `company:${cinOf(2)}`],
  ])
  expect(await evaluated(await imported(companies(1, 2, { capital: 222_222 })))).toBe(1)
  expect(world.box('salesforce').records().length).toBe(2)
  expect([1, 2].map((n) => says('salesforce', n, '222222'))).toEqual([false, false])
  await resumeDestination(world.parts(), fresh)
  await work(fresh)
  expect(await refresh()).toBe(1)
  await work(fresh)
  expect([1, 2].map((n) => says('salesforce', n, '222222'))).toEqual([true, true])
})

test('what was given back or withdrawn is sent no more, nor is anything into a destination that ceased to be fresh', async () => {
  await imported(companies(1, 5))
  await reachable(1, 2, 3)
  const fresh = await destination('salesforce')
  const orderId = await bought(1, 2, 3)
  await world.charge(orderId)
  const items = await db().query<{ id: string }>(
    'SELECT item_id AS id FROM orders.item WHERE order_id = $1 ORDER BY position',
    [orderId],
  )
  await deliver(orderId, fresh)
  await db().transaction((tx) => refundItems(tx, world.accountId(), [items[0]?.id ?? ''], 'operator'))
  await db().execute('UPDATE orders.item SET withdrawn_at = now() WHERE item_id = $1', [items[1]?.id])
  await updateDestination(world.parts(), fresh, { keep: 'delivered' })
  expect(await evaluated(await imported(companies(1, 3, { capital: 2 })))).toBe(0)
  await updateDestination(world.parts(), fresh, { keep: 'fresh' })
  await markChanged(worker(), await imported(companies(1, 3, { capital: 3 })))
  expect(await refresh()).toBe(1)
  const due = await db().query(
    `SELECT external_id AS id FROM deliver.record WHERE destination_id = $1 AND state = 'pending'`,
    [fresh],
  )
  expect(due).toEqual([{ id: `company:${cinOf(3)}` }])
})

test('of a person who objected nothing new is sent, whatever an import says', async () => {
  const fresh = await destination('salesforce')
  const people = [directorLead(1), directorLead(2)]
  await deliver(await world.order(people), fresh)
  await db().execute('UPDATE deliver.record SET changed_by_run = 1 WHERE destination_id = $1', [fresh])
  const objections = readObjection('din', String(directorLead(1).row['DIN'])) ?? []
  await db().transaction((tx) =>
    addSuppressions(tx, world.queue(), { objections: [objections].flat(), actor: 'operator:asha' }),
  )
  const changed = async (_: unknown, itemIds: readonly string[]) =>
    itemIds.map((itemId) => ({ itemId, row: { ...directorLead(9).row, City: 'Anywhere' }, runId: 1 }))
  expect(await refreshDelivered(worker(), world.queue(), changed)).toEqual({ compared: 2, due: 1 })
  const rows = await db().query(
    `SELECT external_id AS id, state FROM deliver.record WHERE destination_id = $1 AND reading IS NOT NULL`,
    [fresh],
  )
  expect(rows).toEqual([{ id: directorLead(2).externalId, state: 'pending' }])
  for (const table of ['deliver.recall', 'access.suppression']) await db().execute(`DELETE FROM ${table}`)
})

/** An import of further lines, whose records tell of their inserts themselves where the register was empty. @returns how many records are due by it. */
async function brought(source: string, ...lines: readonly string[]): Promise<number> {
  const file = ingest.file(`${source}-${++files}.csv`, `${lines.join('\n')}\n`)
  const done = await ingest.ingest(source, file, { mode: 'delta', deps: { shadowTableFrom: 0 } })
  expect([done.status, done.rejected]).toEqual(['succeeded', 0])
  const requested = ingest.queue.sent.map(({ queue, payload }) => ({ queue, ...(payload as object) }))
  expect(requested).toContainEqual(expect.objectContaining({ queue: 'evaluate-import', runId: done.run_id }))
  return evaluated(done.run_id)
}
let files = 0

test('a director who joins, and a contact that is found, change the company that they belong to', async () => {
  await imported(companies(1, 2))
  await reachable(1, 2)
  const fresh = await destination('salesforce')
  await deliver(await bought(1, 2), fresh)
  const found = ['entity,identifier,website,origin', `company,${cinOf(1)},https://one.example.in,Sites`]
  expect(await brought('contacts', ...found)).toBe(1)
  const joined = ['CIN,DIN,Designation,DateOfAppointment,DateOfCessation', `${cinOf(2)},00012345,Director,2024-05-06,`]
  expect(await brought('mca-directorships', ...joined)).toBe(1)
  await work(fresh)
  expect([says('salesforce', 1, 'one.example.in'), says('salesforce', 2, '00012345')]).toEqual([true, true])
})

const registered = (...rows: readonly [gstin: string, name: string, state: string][]) =>
  brought(
    'gst-taxpayers',
    'gstin,lgnm,dty,sts,rgdt,stcd,pncd',
    ...rows.map(([gstin, name, state]) => `${gstin},${name},Regular,Active,05/06/2020,${state},403001`),
  )

test('a registration that takes another name or another state’s that shares its PAN, and a namesake, change the companies that they were linked to', async () => {
  const [own, elsewhere] = [gstinOf(1, '30'), gstinOf(1, '27')]
  await imported(companies(1, 2))
  await reachable(1, 2)
  await registered([own, 'COMPANY 1 PRIVATE LIMITED', 'Goa'])
  const fresh = await destination('hubspot')
  await deliver(await bought(1, 2), fresh)
  const gstinsInCrm = () => [own, elsewhere].map((gstin) => says('hubspot', 1, gstin))
  expect(gstinsInCrm()).toEqual([true, false])
  const steps: readonly (readonly [due: () => Promise<number>, expected: readonly boolean[]])[] = [
    [() => registered([elsewhere, 'TRADING AS SOMETHING ELSE', 'Maharashtra']), [true, true]],
    [() => registered([own, 'BOUGHT BY OTHERS PRIVATE LIMITED', 'Goa']), [false, false]],
    [() => registered([own, 'COMPANY 1 PRIVATE LIMITED', 'Goa']), [true, true]],
    [async () => evaluated(await imported([{ n: 9, name: 'COMPANY 1 PRIVATE LIMITED' }])), [false, false]],
    [async () => evaluated(await imported([{ n: 9, name: 'COMPANY 9 PRIVATE LIMITED' }])), [true, true]],
  ]
  for (const [due, expected] of steps) {
    expect(await due()).toBe(1)
    await work(fresh)
    expect(gstinsInCrm()).toEqual(expected)
  }
})

test('who asks not to be contacted, and a description of goods, change the records that told of them', async () => {
  await imported(companies(1, 2))
  await reachable(1, 2)
  const gstin = gstinOf(1, '30')
  await brought('hsn-sac', 'HSN_CD,HSN_Description', '0101,Horses', '0102,Cattle')
  await brought(
    'gst-taxpayers',
    'gstin,lgnm,dty,sts,rgdt,stcd,pncd,hsncd',
    `${gstin},SOMEBODY,Regular,Active,05/06/2020,Goa,403001,0101`,
  )
  await insertContact(db(), 'gst', gstin, { mobile: '+919812399999' })
  const fresh = await destination('salesforce')
  await deliver(await bought(1, 2), fresh)
  await deliver(await boughtAs([{ ...gstLead(1), externalId: `gst:${gstin}` }]), fresh)
  expect(await brought('hsn-sac', 'HSN_CD,HSN_Description', '0102,Oxen')).toBe(0)
  expect(await brought('hsn-sac', 'HSN_CD,HSN_Description', '0101,Live horses')).toBe(1)
  expect(await brought('preferences', 'number', '9812300001')).toBe(0)
  await setExcludesPreferences(db(), world.accountId(), true)
  expect(await brought('preferences', 'number', '9812300002')).toBe(1)
})

test('an account is notified once a day of what its destinations were sent, and not of a day without changes', async () => {
  await imported(companies(1, 2))
  await reachable(1, 2)
  const fresh = await destination('salesforce')
  await addWebhook(db(), world.secretKey, { accountId: world.accountId(), url: 'https://hook.example.com/panji' })
  await deliver(await bought(1, 2), fresh)
  const told = async () => {
    const { events } = await listEvents(db(), world.accountId(), { limit: 50, offset: 0 })
    return events.filter(({ type }) => type === 'delivery.refreshed').map(({ data }) => data)
  }
  expect(await notifyOfRefreshes(worker(), '00:00')).toBe(0)
  await evaluated(await imported(companies(1, 2, { capital: 4 })))
  await work(fresh)
  await evaluated(await imported(companies(1, 1, { capital: 5 })))
  await work(fresh)
  const tomorrow = () =>
    db().execute(`UPDATE deliver.record SET refreshed_at = refreshed_at - interval '1 day';
      UPDATE deliver.destination SET fresh_told_on = fresh_told_on - 1`)
  await tomorrow()
  expect([await notifyOfRefreshes(worker(), '00:00'), await notifyOfRefreshes(worker(), '00:00')]).toEqual([1, 0])
  expect(await told()).toEqual([
    {
      day: expect.any(String),
      destinations: [{ destination_id: fresh, name: 'salesforce fresh', updated: 2, rejected: 0, waiting: 0 }],
    },
  ])
  expect(
    await db().query(`SELECT data -> 'destinations' AS told FROM deliver.mail WHERE type = 'delivery.refreshed'`),
  ).toHaveLength(1)
  await tomorrow()
  expect(await notifyOfRefreshes(worker(), '00:00')).toBe(0)
  expect(await told()).toHaveLength(1)
})

test('a destination keeps what was delivered unless it says fresh, and one that delivers approved plans alone cannot say so', async () => {
  const plain = await world.addDestination('salesforce')
  expect(await showDestination(world.parts(), plain)).toMatchObject({ keep: 'delivered' })
  expect(await updateDestination(world.parts(), plain, { keep: 'fresh' })).toMatchObject({ keep: 'fresh' })
  await expect(updateDestination(world.parts(), plain, { deliver: 'approved' })).rejects.toMatchObject({
    code: 'DESTINATION_INVALID',
  })
  for (const keep of ['stale', ''])
    await expect(updateDestination(world.parts(), plain, { keep })).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
    })
})
