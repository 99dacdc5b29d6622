/** A commit whose wait for its synchronous standby was cancelled: the server calls it done with a warning, Panji calls it unknown. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { useReplicatedDatabase } from './support/replicated-database.ts'

const database = useReplicatedDatabase()
let db: Db
beforeAll(async () => {
  await database.db.execute('CREATE TABLE noted (word text)')
  db = openDb({
    connectionString: database.urlOf('first'),
    ...{ applicationName: 'panji-test-commits', connectionsMax: 1 },
  })
  await database.kill('second')
})
afterAll(() => db.close())

/** Cancels the commit that waits, as whoever finds it hanging does. @returns how it ended. */
async function cancelled(work: Promise<unknown>): Promise<unknown> {
  const end = work.then(
    () => 'acknowledged',
    (error: unknown) => error,
  )
  await vi.waitFor(
    async () => {
      const waiting = await database.db.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
      )
      expect(waiting).toHaveLength(1)
    },
    { timeout: 60_000, interval: 20 },
  )
  return end
}

test('what no standby has is not acknowledged, in a transaction and out of one, and the next statement is not blamed', async () => {
  const unknown = expect.objectContaining({ code: '08007' })
  expect(await cancelled(db.execute(`INSERT INTO noted VALUES ('alone')`))).toEqual(unknown)
  expect(await cancelled(db.transaction((tx) => tx.execute(`INSERT INTO noted VALUES ('together')`)))).toEqual(unknown)
  expect(await db.query('SELECT word FROM noted ORDER BY word')).toEqual([{ word: 'alone' }, { word: 'together' }])
})
