/** The upkeep of the queue, which pg-boss does on connections of those who run jobs. */
import { expect, test } from 'vitest'
import { startQueue } from '../../../src/queue/queue.ts'
import { queues } from '../../../src/queue/queues.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

test('runs with the rights of the worker: what is old goes, what waits and what is young stays', async () => {
  const faults: Error[] = []
  const queue = await startQueue({
    connectionString: database.urlAs('panji_worker'),
    supervise: false,
    onError: (error) => faults.push(error),
  })
  try {
    for (const orderId of ['old', 'young', 'waits']) await queue.send(database.db, queues.buildLeads, { orderId })
    await database.db.execute(`UPDATE pgboss.job SET state = 'completed', completed_on = now(), keep_until = now() + interval '1 day'
      WHERE data ->> 'orderId' IN ('old', 'young')`)
    await database.db.execute(`UPDATE pgboss.job SET completed_on = now() - interval '1 year', keep_until = now() - interval '1 day'
      WHERE data ->> 'orderId' = 'old'`)
    await database.db.execute('UPDATE pgboss.queue SET maintain_on = NULL, monitor_on = NULL')
    await queue.boss.supervise()
    expect(faults).toEqual([])
    expect(
      await database.db.query(`SELECT data ->> 'orderId' AS id, state::text FROM pgboss.job ORDER BY created_on, id`),
    ).toEqual(
      expect.arrayContaining([
        { id: 'young', state: 'completed' },
        { id: 'waits', state: 'created' },
      ]),
    )
    expect(await database.db.query(`SELECT FROM pgboss.job WHERE data ->> 'orderId' = 'old'`)).toEqual([])
  } finally {
    await queue.stop()
  }
})
