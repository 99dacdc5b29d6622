/** A backup that was taken with deliveries on their way, restored after they had arrived: no record lies in the CRM twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { startSandboxes } from '../../sandboxes/server.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { fillDatabase } from '../../src/cli/instance/restore/fill-database.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { takeLease } from '../../src/deliver/lease/lease.ts'
import { reconcile } from '../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { claimLeads } from '../../src/deliver/record/ledger.ts'
import { Secret } from '../../src/domain/secret.ts'
import { companyLead, directorLead, gstLead } from '../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from '../integration/deliver/paid-order.ts'
import { useTestQueue } from '../integration/orders/world.ts'
import { suppressionSettings, useTestDatabase } from '../support/database.ts'
import { databaseAt } from '../support/database-url.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.url)

test('F33: what was pending or being sent in a restored backup, and reached the CRM since, is found there and not sent twice', async () => {
  const { db } = database
  const folder = mkdtempSync(join(tmpdir(), 'panji-outbox-'))
  const sandbox = createSalesforceSandbox()
  const server = await startSandboxes([sandbox], { port: 0 })
  const parts = (of: Db) => ({ db: of, connectors: [salesforce], secretKey: new Secret('a key of sixteen characters') })
  const accountId = await insertAccount(db)
  const { destination_id: destinationId } = await addDestination(db, [salesforce], parts(db).secretKey, {
    ...{ accountId, connector: 'salesforce', name: 'Our org', settings: server.settings('salesforce') },
  })
  const run = (of: Db) => reconcile(parts(of), destinationId, new AbortController().signal)
  const push = (orderId: string) => db.transaction((tx) => requestPush(tx, jobs.queue, { orderId, destinationId }))
  const states = async (of: Db) =>
    (await of.query<{ state: string }>('SELECT state FROM deliver.delivery ORDER BY delivery_id')).map(
      ({ state }) => state,
    )
  const endWaits = async (of: Db) => {
    await of.execute('UPDATE deliver.limiter SET blocked_until = now()')
    await of.execute('UPDATE deliver.destination SET retry_at = NULL, leased_until = now()')
    await of.execute('UPDATE deliver.record SET next_attempt_at = NULL')
  }
  try {
    // One order has arrived, of the next one a lead is being sent and the others wait.
    await push(await insertOrder(db, accountId, [gstLead(1), companyLead(1), directorLead(1)]))
    await run(db)
    await push(await insertOrder(db, accountId, [gstLead(2), companyLead(2), directorLead(2)]))
    const lease = await takeLease(db, destinationId)
    if (!lease) throw new Error('nobody else holds it')
    expect(await claimLeads(db, lease, 1)).toHaveLength(1)
    expect(sandbox.records()).toHaveLength(3)
    const path = join(folder, 'backup.tar.gz')
    const manifest = await writeBackup({ db, version: '0.1.0', files: [] }, path)
    await endWaits(db)
    await run(db)
    expect(await states(db)).toEqual(Array.from({ length: 6 }, () => 'acknowledged'))
    const arrived = sandbox.records().map(({ id }) => id)
    expect(arrived).toHaveLength(6)

    await db.execute('CREATE DATABASE restored_outbox')
    const url = databaseAt(database.url, 'restored_outbox')
    await fillDatabase(url, { path, manifest, onRows: () => {} })
    const restored = openDb({ connectionString: url, applicationName: 'panji-test', settings: suppressionSettings })
    try {
      expect((await states(restored)).filter((state) => state !== 'acknowledged')).toHaveLength(3)
      await endWaits(restored)
      await run(restored)
      expect(await states(restored)).toEqual(Array.from({ length: 6 }, () => 'acknowledged'))
      expect(sandbox.records().map(({ id }) => id)).toEqual(arrived)
    } finally {
      await restored.close()
      await db.execute('DROP DATABASE restored_outbox WITH (FORCE)')
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
