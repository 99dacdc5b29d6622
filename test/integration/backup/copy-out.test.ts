/** A copy of a table whose reader stops before its end, as a backup does whose disk is full. */
import { expect, test } from 'vitest'
import { copyOut } from '../../../src/backup/tables.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

test('a copy that is left in the middle of a large table lets the snapshot end at once, with the error that was met', async () => {
  await database.db.execute(
    `CREATE TABLE public.many AS SELECT n, repeat('x', 1000) AS text FROM generate_series(1, 60000) AS n`,
  )
  const full = new Error('the disk is full')
  const left = database.db.readSnapshot(60_000, async (tx) => {
    for await (const chunk of copyOut(tx, { name: 'public.many', columns: ['n', 'text'] }))
      if (chunk.length > 0) throw full
  })
  await expect(left).rejects.toBe(full)
  const held = await database.db.query(
    `SELECT state FROM pg_stat_activity WHERE query LIKE 'COPY public.many%' AND state <> 'idle' AND datname = current_database()`,
  )
  expect(held).toEqual([])
  expect(await database.db.query('SELECT count(*) AS rows FROM public.many')).toEqual([{ rows: 60_000 }])
})
