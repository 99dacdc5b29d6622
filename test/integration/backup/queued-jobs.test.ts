/** Jobs outlive the queue's own tables: they are saved by what they mean, and restored into a queue of another day. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { writeBackup } from '../../../src/backup/write-backup.ts'
import { fillDatabase } from '../../../src/cli/instance/restore/fill-database.ts'
import { type Db, openDb } from '../../../src/db/db.ts'
import { startQueue } from '../../../src/queue/queue.ts'
import { queues } from '../../../src/queue/queues.ts'
import { withOrigin } from '../../../src/telemetry/request-origin.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-jobs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function restored<T>(name: string, path: string, look: (db: Db) => Promise<T>): Promise<T> {
  await database.db.execute(`CREATE DATABASE ${name}`)
  const url = databaseAt(database.url, name)
  await fillDatabase(url, { path, manifest: await checkBackup(path), onRows: () => {} })
  const db = openDb({ connectionString: url, applicationName: 'panji-test' })
  try {
    return await look(db)
  } finally {
    await db.close()
    await database.db.execute(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

const job = `id, name, data, state::text, priority, retry_limit, retry_count, singleton_key, start_after, created_on,
  completed_on, output, dead_letter, policy, group_id, group_tier, source_name, source_output`

test.each([1, 40, 365])(
  '%i days later each job is what it was, and may wait as long as it still might',
  async (days) => {
    const { db } = database
    const queue = await startQueue({
      connectionString: database.url,
      role: 'panji_worker',
      supervise: false,
      onError: () => {},
    })
    try {
      await queue.boss.createQueue('of-an-older-version', { deadLetter: 'dead-letter' })
      await db.execute('DELETE FROM pgboss.job')
      await withOrigin({ requestId: 'call-of-ravi-4' }, () =>
        db.transaction((tx) => queue.send(tx, queues.buildLeads, { orderId: 'waits' }, { startAfterMs: 3_600_000 })),
      )
      await db.transaction(async (tx) => {
        await queue.send(tx, queues.ingestSnapshot, { runId: 7 }, { singletonKey: 'mca-companies' })
        await queue.send(tx, queues.closeLedgerDay, {})
        await queue.send(tx, queues.sealAuditLog, {})
      })
      await queue.boss.send('of-an-older-version', { kept: 'पंजी\n\t\\' })
      await queue.boss.send('dead-letter', { orderId: 'dead' })
      await db.execute(`UPDATE pgboss.job SET state = 'active', started_on = now(), heartbeat_on = now(), retry_count = 3
                      WHERE name = 'ingest-snapshot'`)
      await db.execute(`UPDATE pgboss.job SET state = 'retry', retry_count = 2, started_on = now(), output = '{"code":"X"}'
                      WHERE name = 'close-ledger-day'`)
      await db.execute(`UPDATE pgboss.job SET state = 'completed', completed_on = now() WHERE name = 'seal-audit-log'`)
      await db.execute(`UPDATE pgboss.job SET source_name = 'build-leads', source_output = '{"message":"why"}'
                      WHERE name = 'dead-letter'`)
      const path = join(folder, `after-${days}.tar.gz`)
      const manifest = await writeBackup({ db, version: '0.1.0', files: [] }, path)
      expect(manifest.tables.map(({ name }) => name).filter((name) => name.startsWith('pgboss'))).toEqual([
        'pgboss.job',
      ])
      const saved = await db.query<{ name: string; state: string; group_id: string | null }>(
        `SELECT ${job} FROM pgboss.job ORDER BY id`,
      )
      expect(saved).toHaveLength(6)
      expect(saved.find(({ name }) => name === 'build-leads')?.group_id).toBe('call-of-ravi-4')

      await database.db.execute('CREATE DATABASE jobs_later')
      const url = databaseAt(database.url, 'jobs_later')
      // As if that many days had passed since.
      const taken = new Date(Date.parse(manifest.taken_at) - days * 86_400_000).toISOString()
      await fillDatabase(url, { path, manifest: { ...manifest, taken_at: taken }, onRows: () => {} })
      const later = openDb({ connectionString: url, applicationName: 'panji-test' })
      try {
        // Nobody works on what a worker had; the attempt that was cut off is none.
        const expected = saved.map((each) => (each.state === 'active' ? { ...each, state: 'retry' } : each))
        expect(await later.query(`SELECT ${job} FROM pgboss.job ORDER BY id`)).toEqual(expected)
        const timesOf = (of: Db) => of.query<{ keep_until: Date }>('SELECT keep_until FROM pgboss.job ORDER BY id')
        const before = await timesOf(db)
        for (const [index, { keep_until: until }] of (await timesOf(later)).entries()) {
          const moved = until.getTime() - (before[index]?.keep_until.getTime() ?? 0) - days * 86_400_000
          expect(moved).toBeGreaterThan(0)
          expect(moved).toBeLessThan(3_600_000)
        }
        expect(
          await later.query(
            `SELECT 1 FROM pgboss.job WHERE state = 'retry' AND name = 'ingest-snapshot' AND started_on IS NULL`,
          ),
        ).toHaveLength(1)
      } finally {
        await later.close()
        await database.db.execute('DROP DATABASE jobs_later WITH (FORCE)')
      }
    } finally {
      await queue.stop()
    }
  },
)

test("tables that somebody laid beside Panji's own are left where they are", async () => {
  await database.db.execute('CREATE SCHEMA analytics')
  await database.db.execute('CREATE TABLE analytics.monthly (month date)')
  await database.db.execute('CREATE TABLE registry.company_copy (cin text)')
  const path = join(folder, 'beside.tar.gz')
  const { tables } = await writeBackup({ db: database.db, version: '0.1.0', files: [] }, path)
  const names = tables.map(({ name }) => name)
  expect(names).toContain('registry.company')
  expect(names).not.toContain('analytics.monthly')
  expect(names).not.toContain('registry.company_copy')
  const here = await restored('jobs_beside', path, (db) =>
    db.query(`SELECT to_regclass('registry.company_copy') AS copy`),
  )
  expect(here).toEqual([{ copy: null }])
})
