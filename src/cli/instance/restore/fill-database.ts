/**
 * A backup's schema and rows in an empty database. A backup of an earlier version gets its own schema, its rows, and
 * then the migrations since, as an upgrade of that instance would have applied them.
 */
import { loadTables } from '../../../backup/load-backup.ts'
import type { Manifest } from '../../../backup/manifest.ts'
import { giveJobsBack } from '../../../backup/queued-jobs.ts'
import { openDb } from '../../../db/db.ts'
import { listMigrations, type Migration, migrate, migrateTo } from '../../../db/migrate.ts'
import { refuseUnreleased } from '../../../db/unreleased.ts'
import { AppError } from '../../../errors.ts'
import { startQueue } from '../../../queue/queue.ts'
import { roleConnections } from '../role-connections.ts'

export interface RestoreRequest {
  readonly path: string
  /** Manifest of the verified backup. */
  readonly manifest: Manifest
  readonly onRows: (rows: number) => void
  /** Ends the restore before the next table; not once the rows are there. */
  readonly signal?: AbortSignal | undefined
  /** Called at each point at which a test may end the process. */
  readonly reached?: (point: string) => Promise<void>
}

/** @throws AppError SCHEMA_TOO_NEW, SCHEMA_TOO_OLD */
export function requireKnownVersion({ migrations, panji }: Manifest): void {
  refuseUnreleased(
    migrations.map(({ name }) => name),
    'backup',
  )
  const known = new Map(listMigrations().map(({ name, sha256 }) => [name, sha256]))
  const unknown = migrations.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (unknown === undefined) return
  throw new AppError(
    'SCHEMA_TOO_NEW',
    `The backup was written by Panji ${panji} with ${unknown.name}, which this Panji does not know. Restore it with that version or a newer one.`,
  )
}

export async function fillDatabase(
  databaseUrl: string,
  { path, manifest, onRows, signal }: RestoreRequest,
  migrations: readonly Migration[] = listMigrations(),
): Promise<void> {
  const applied = new Set(manifest.migrations.map(({ name }) => name))
  const db = openDb({
    connectionString: databaseUrl,
    applicationName: `panji:${process.pid}:restore`,
    connectionsMax: 2,
  })
  try {
    await migrateTo(
      db,
      migrations.filter(({ name }) => applied.has(name)),
    )
    await loadTables(db, { path, manifest, onRows, signal })
    await migrate(db, migrations)
    if (manifest.queue_schema === null) return
    const { panji_worker: worker } = await roleConnections(db, databaseUrl, {})
    const queue = await startQueue({ ...worker, supervise: false, onError: () => {} })
    try {
      await giveJobsBack(db, { path, manifest }, (name) => queue.boss.createQueue(name))
    } finally {
      await queue.stop()
    }
  } finally {
    await db.close()
  }
}
