/** What becomes of records whose outcome the CRM was asked about, and of all others. */
import { expect, test } from 'vitest'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { settleUnknown } from '../../../src/deliver/record/ledger.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { owedOrder } from './owed-order.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()

test('settling what was unknown touches no other record, and nothing of another destination', async () => {
  const { db } = database
  const accountId = await insertAccount(db)
  const leads = [gstLead(1), gstLead(2), gstLead(3)]
  const [asked = '', missing = '', other = ''] = leads.map(({ externalId }) => externalId)
  const orderId = await insertOrder(db, accountId, leads)
  const destinations = await db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, remote_account, settings_encrypted)
     VALUES ($1, 'hubspot', 'one', 'a', ''), ($1, 'hubspot', 'two', 'b', '') RETURNING destination_id AS id`,
    [accountId],
  )
  const [mine = '', theirs = ''] = destinations.map(({ id }) => id)
  await db.execute(
    `INSERT INTO deliver.record (destination_id, external_id, item_id, desired_sha256, version, state, attempts)
     SELECT destination_id, type || ':' || identifier, item_id, '', now(), 'unknown', 2
     FROM orders.item, unnest($2::uuid[]) AS destination_id WHERE order_id = $1`,
    [orderId, [mine, theirs]],
  )
  const lease = await takeLease(db, mine)
  if (!lease) throw new Error('nobody else holds this destination')
  await settleUnknown(db, lease, [asked, missing], new Map([[asked, { crmId: 'crm-1' }]]))
  const states = async (destinationId: string) =>
    await db.query(
      `SELECT external_id AS id, state, outcome, crm_id AS crm, next_attempt_at > now() AS waits
       FROM deliver.record WHERE destination_id = $1 ORDER BY external_id`,
      [destinationId],
    )
  const unconfirmed = (id: string) => ({ id, state: 'unknown', outcome: null, crm: null, waits: null })
  expect(await states(theirs)).toEqual([asked, missing, other].map(unconfirmed))
  expect(await states(mine)).toEqual([
    { id: asked, state: 'pending', outcome: 'created', crm: 'crm-1', waits: true },
    { id: missing, state: 'pending', outcome: null, crm: null, waits: true },
    unconfirmed(other),
  ])
  await expect(settleUnknown(db, { ...lease, fence: accountId }, [other], new Map())).rejects.toMatchObject({
    code: 'LEASE_LOST',
  })
})

test('a record whose outcome is unknown again and again is sent again later each time, found or missing', async () => {
  const { db } = database
  const { destinationId, ids } = await owedOrder(db, 2)
  const [found = ''] = ids
  const lease = await takeLease(db, destinationId)
  if (!lease) throw new Error('nobody else holds this destination')
  const waits: (number | null)[][] = []
  for (const attempts of [1, 2, 3, 20]) {
    await db.execute(`UPDATE deliver.record SET state = 'unknown', attempts = $2 WHERE destination_id = $1`, [
      destinationId,
      attempts,
    ])
    await settleUnknown(db, lease, ids, new Map([[found, { crmId: 'crm-1' }]]))
    const rows = await db.query<{ seconds: number | null }>(
      `SELECT round(extract(epoch FROM next_attempt_at - updated_at))::int AS seconds FROM deliver.record
       WHERE destination_id = $1 ORDER BY external_id`,
      [destinationId],
    )
    waits.push(rows.map(({ seconds }) => seconds))
  }
  expect(waits).toEqual([
    [null, null],
    [4, 4],
    [8, 8],
    [900, 900],
  ])
})
