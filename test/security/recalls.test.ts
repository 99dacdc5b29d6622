/** Who objects is recalled from the CRMs that were sent the person, with a receipt; and is sent to none from then on. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { addSuppressions } from '../../src/access/suppressions.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../src/deliver/destinations/open-destination.ts'
import { planPush } from '../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../src/deliver/push/read-push.ts'
import { reconcile } from '../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { recallLeads } from '../../src/deliver/recall/recall-leads.ts'
import { readObjection, type SuppressionKind } from '../../src/domain/objection.ts'
import { Secret } from '../../src/domain/secret.ts'
import { companyLead, directorLead, gstLead } from '../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from '../integration/deliver/paid-order.ts'
import { recordJobs } from '../support/api.ts'
import { asOperator, overHttp } from '../support/as-operator.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const queue = recordJobs()
const { signal } = new AbortController()
let boxes: Sandbox[]
let server: RunningSandboxes

beforeAll(async () => {
  boxes = sandboxes()
  server = await startSandboxes(boxes, { port: 0 })
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const table of ['deliver.recall', 'deliver.record', 'deliver.delivery'])
    await database.db.execute(`DELETE FROM ${table}`)
  for (const box of boxes) box.reset()
})
afterEach(async () => {
  await database.db.execute('DELETE FROM access.suppression')
})

const suppress = (values: readonly (readonly [SuppressionKind, string])[]) => {
  const objections = values.flatMap(([kind, text]) => readObjection(kind, text) ?? [])
  return asOperator(() =>
    database.as('panji_api').transaction((tx) => addSuppressions(tx, queue, { objections, actor: overHttp })),
  )
}

/** What these CRMs can bring back for a time. */
const canRestore: Readonly<Record<string, (externalId: string) => boolean>> = {
  salesforce: () => true,
  hubspot: (externalId) => !externalId.startsWith('director:'),
}

interface Receipt {
  readonly external_id: string
  readonly status: string
  readonly crm_id: string | null
  readonly answer: object | null
  readonly attempts: number
  readonly settled_at: Date | null
}

describe.each(connectors.map(({ name }) => name))('%s', (crm) => {
  const delivered = async () => {
    const parts = { db: database.as('panji_worker'), connectors, secretKey }
    const accountId = await insertAccount(database.db)
    const given = { accountId, connector: crm, name: 'CRM', settings: server.settings(crm) }
    const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
    const leads = [gstLead(1), companyLead(1), directorLead(1)]
    const orderId = await insertOrder(database.db, accountId, leads)
    const push = async () => {
      const request = { orderId, destinationId }
      const { pushId } = await database.db.transaction((tx) => requestPush(tx, queue, request))
      await reconcile(parts, destinationId, signal)
      return (await readPush(parts.db, pushId)).counts
    }
    const box = boxes.find((each) => each.crm === crm)
    if (!box) throw new Error(`no sandbox of ${crm}`)
    const held = () => JSON.stringify(box.records())
    const receipts = () =>
      database.db.query<Receipt>('SELECT * FROM deliver.recall WHERE destination_id = $1 ORDER BY external_id', [
        destinationId,
      ])
    return { parts, destinationId, orderId, leads, push, box, held, receipts, recall: () => recallLeads(parts, signal) }
  }
  const [gst, company, director] = [gstLead(1), companyLead(1), directorLead(1)] as const
  const emailOf = (lead: typeof gst) => String(lead.row['Email'])
  const din = director.externalId.slice('director:'.length)

  test('erases what was sent, keeps the receipt, and asks the CRM no second time', async () => {
    const { push, held, receipts, recall, box, destinationId } = await delivered()
    await push()
    for (const { externalId } of [gst, company, director]) expect(held()).toContain(externalId)
    const sent = await database.db.query<{ externalId: string; crmId: string }>(
      'SELECT external_id AS "externalId", crm_id AS "crmId" FROM deliver.record WHERE destination_id = $1',
      [destinationId],
    )
    const crmIdOf = new Map(sent.map(({ externalId, crmId }) => [externalId, crmId]))
    await suppress([
      ['email', emailOf(gst).toUpperCase()],
      ['din', din],
    ])
    expect(queue.sent.some(({ queue: name }) => name === 'recall-leads')).toBe(true)

    expect(await recall()).toEqual({ noted: 2, settled: 2 })
    expect(held()).not.toContain(gst.externalId)
    expect(held()).not.toContain(director.externalId)
    expect(held()).toContain(company.externalId)
    const kept = await receipts()
    expect(kept.map(({ external_id, status }) => [external_id, status])).toEqual([
      [director.externalId, 'erased'],
      [gst.externalId, 'erased'],
    ])
    for (const { external_id, crm_id, answer, settled_at } of kept) {
      expect([external_id, crm_id]).toEqual([external_id, crmIdOf.get(external_id)])
      expect(answer).toMatchObject({ found: true, crm_id, erased_at: expect.any(String) })
      const isRestorable = Object.hasOwn(answer ?? {}, 'restorable')
      if (canRestore[crm]) expect([external_id, isRestorable]).toEqual([external_id, canRestore[crm](external_id)])
      expect(settled_at).toBeInstanceOf(Date)
    }
    const ledger = JSON.stringify(
      await database.db.query(
        `SELECT row_to_json(d)::text FROM deliver.delivery d WHERE external_id = ANY($1)
         UNION ALL SELECT row_to_json(r)::text FROM deliver.record r WHERE external_id = ANY($1)`,
        [[gst.externalId, director.externalId]],
      ),
    )
    expect(ledger).not.toContain(emailOf(gst))

    const calls = box.calls().length
    expect(await recall()).toEqual({ noted: 0, settled: 0 })
    expect(box.calls().length).toBe(calls)
  })

  test('erases nothing where the key of the list was lost, since nobody knows whom its entries mean', async () => {
    const { push, held, receipts, recall } = await delivered()
    await push()
    const before = held()
    await suppress([['email', 'somebody.else@example.in']])
    const [entry] = await database.db.query<{ hash: Buffer; keyId: string }>(
      'SELECT hash, key_id AS "keyId" FROM access.suppression',
    )
    const keyOf = (keyId: string | undefined) =>
      database.db.execute('UPDATE access.suppression SET key_id = $2 WHERE hash = $1', [entry?.hash, keyId])
    await keyOf('of another key')
    expect(await recall()).toEqual({ noted: 0, settled: 0 })
    expect([held(), await receipts()]).toEqual([before, []])
    // Who is listed under the key that is there is known all the same.
    await keyOf(entry?.keyId)
    await suppress([['email', emailOf(gst)]])
    await keyOf('of another key')
    expect(await recall()).toEqual({ noted: 1, settled: 1 })
    expect(held()).not.toContain(gst.externalId)
    expect(held()).toContain(company.externalId)
  })

  test('erases also what was sent and not answered yet, while it waits to be sent again, and once', async () => {
    const { push, held, recall, destinationId } = await delivered()
    await push()
    await database.db.execute(
      `UPDATE deliver.record SET state = 'pending', acknowledged_at = NULL, acknowledged_sha256 = NULL,
         unconfirmed = ARRAY[sent_item_id], next_attempt_at = now() + interval '15 minutes' WHERE destination_id = $1`,
      [destinationId],
    )
    await suppress([['email', emailOf(gst)]])
    expect(await recall()).toEqual({ noted: 1, settled: 1 })
    expect(held()).not.toContain(gst.externalId)
    expect(await recall()).toEqual({ noted: 0, settled: 0 })
  })

  test('takes a record that is gone already as erased', async () => {
    const { push, receipts, recall, parts, destinationId } = await delivered()
    await push()
    const { session } = openDestination(parts, await readDestination(database.db, destinationId), signal)
    expect(await session.erase([gst.externalId])).toBe(1)
    await suppress([['email', emailOf(gst)]])
    expect(await recall()).toEqual({ noted: 1, settled: 1 })
    expect(await receipts()).toMatchObject([{ external_id: gst.externalId, status: 'gone', answer: { found: false } }])
  })

  test('stays pending while the CRM fails, and is done by a later run', async () => {
    const { push, receipts, recall, box, held } = await delivered()
    await push()
    await suppress([['email', emailOf(gst)]])
    box.addFault({ kind: 'status', status: 503, times: 20 })
    await expect(recall()).rejects.toThrow()
    expect(await receipts()).toMatchObject([{ status: 'pending', attempts: 1, settled_at: null }])
    expect(held()).toContain(gst.externalId)
    const records = box.records().length
    expect(records).toBe(3)
    // What is left of the fault strikes the tries that follow; the last one meets a CRM that answers.
    for (let tries = 0; tries < 20; tries++) {
      const done = await recall().catch(() => undefined)
      if (done) break
    }
    expect(await receipts()).toMatchObject([{ status: 'erased' }])
    expect(held()).not.toContain(gst.externalId)
  })

  test('sends no director who objected, and no contact that somebody objected to', async () => {
    const { push, held, parts, orderId, destinationId } = await delivered()
    await suppress([
      ['din', din],
      ['email', emailOf(company)],
    ])
    expect(await planPush(parts, { orderId, destinationId }, signal)).toMatchObject({ counts: { create: 2 } })
    expect(await push()).toMatchObject({ created: 2, rejected: 1, pending: 0, unknown: 0 })
    expect(held()).toContain(company.externalId)
    expect(held()).not.toContain(emailOf(company))
    expect(held()).not.toContain(director.externalId)
    const [row] = await database.db.query<{ last_error: object }>(
      'SELECT last_error FROM deliver.delivery WHERE external_id = $1 AND destination_id = $2',
      [director.externalId, destinationId],
    )
    expect(row?.last_error).toMatchObject({ code: 'SUPPRESSED' })
  })
})

test('a recall that some CRMs fail is tried again as soon as the first of them lets it, whatever the others say', async () => {
  const parts = { db: database.as('panji_worker'), connectors, secretKey }
  const accountId = await insertAccount(database.db)
  const lead = gstLead(1)
  const orderId = await insertOrder(database.db, accountId, [lead])
  const made: { readonly id: string; readonly box: Sandbox }[] = []
  for (const box of boxes.filter(({ crm }) => connectors.some(({ name }) => name === crm))) {
    const given = { accountId, connector: box.crm, name: box.crm, settings: server.settings(box.crm) }
    const id = (await addDestination(database.db, connectors, secretKey, given)).destination_id
    await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId: id }))
    await reconcile(parts, id, signal)
    made.push({ id, box })
  }
  // Asked in this order; the last one is to be refused for good.
  const [busy, full, refused] = made.sort((a, b) => (a.id < b.id ? -1 : 1))
  if (!busy || !full || !refused) throw new Error('three CRMs are needed')
  await suppress([['email', String(lead.row['Email'])]])
  const hold = (until: string) =>
    database.db.execute(
      `UPDATE deliver.destination SET leased_to = gen_random_uuid(), leased_until = ${until} WHERE destination_id = $1`,
      [busy.id],
    )
  await hold(`now() + interval '1 hour'`)
  full.box.addFault({ kind: 'daily_limit', times: 2 })
  const body = [{ message: 'The API is disabled for the org', errorCode: 'API_DISABLED_FOR_ORG' }]
  refused.box.addFault({ kind: 'status', status: 403, body, match: '/query|/crm/', times: 20 })
  await expect(recallLeads(parts, signal)).rejects.toMatchObject({ retry: { afterMs: 3_000 } })
  const pending = () =>
    database.db.query(`SELECT FROM deliver.recall WHERE destination_id = ANY($1) AND status = 'pending'`, [
      made.map(({ id }) => id),
    ])
  expect(await pending()).toHaveLength(3)
  await hold('now()')
  // Nobody is in the way any more, and the quota is waited for; the refusal is for good once it stands alone.
  await expect(recallLeads(parts, signal)).rejects.toMatchObject({ retry: { afterMs: expect.any(Number) } })
  expect(await pending()).toHaveLength(2)
  full.box.endFaults?.()
  await database.db.execute('DELETE FROM deliver.limiter')
  await expect(recallLeads(parts, signal)).rejects.toMatchObject({ retry: 'never' })
  expect(await pending()).toHaveLength(1)
  refused.box.endFaults?.()
  expect(await recallLeads(parts, signal)).toMatchObject({ settled: 1 })
})
