/** Deliveries that an earlier release left are told by their migration when they were made, and nothing else of them changes. */
import { expect, test } from 'vitest'
import { listMigrations, migrateTo } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertPush, owedOrder } from '../deliver/owed-order.ts'

const database = useTestDatabase()
const migration = '0054_when_deliveries_were_made.sql'

test('a delivery that was there before is as old as the first push of its order into its destination', async () => {
  const { db } = database
  const one = await owedOrder(db)
  const other = await owedOrder(db)
  await insertPush(db, one.orderId, one.destinationId)
  await db.execute(`UPDATE deliver.push SET requested_at = '2026-03-01T06:00:00Z' WHERE push_id = $1`, [one.pushId])
  // The push that made it is known no more: what is known is that it was sent.
  await db.execute('UPDATE deliver.delivery SET push_id = NULL WHERE order_id = $1', [other.orderId])
  await db.execute('DELETE FROM deliver.push WHERE order_id = $1', [other.orderId])
  await db.execute(
    `UPDATE deliver.delivery SET first_sent_at = '2026-04-01T06:00:00Z', state = 'acknowledged', outcome = 'created'
     WHERE order_id = $1`,
    [other.orderId],
  )
  const all = () => db.query<{ created_at: Date }>('SELECT * FROM deliver.delivery ORDER BY destination_id, item_id')
  const before = await all()
  await db.execute('ALTER TABLE deliver.delivery DROP COLUMN created_at')
  await db.execute('DELETE FROM runtime.migration WHERE name = $1', [migration])
  await migrateTo(db, listMigrations())
  expect((await all()).map((row) => ({ ...row, created_at: null }))).toEqual(
    before.map((row) => ({ ...row, created_at: null })),
  )
  const made = (orderId: string) => db.query('SELECT created_at FROM deliver.delivery WHERE order_id = $1', [orderId])
  const at = (day: string) => ({ created_at: new Date(`${day}T06:00:00Z`) })
  expect(await made(one.orderId)).toEqual([at('2026-03-01'), at('2026-03-01')])
  expect(await made(other.orderId)).toEqual([at('2026-04-01'), at('2026-04-01')])
  // Its trigger works as before.
  expect(
    await db.query(
      `SELECT tgenabled AS enabled FROM pg_trigger WHERE tgrelid = 'deliver.delivery'::regclass AND NOT tgisinternal`,
    ),
  ).toEqual([{ enabled: 'O' }, { enabled: 'O' }])
})
