/**
 * Restores into the empty database of DATABASE_URL. The keys come from the environment there; inputs of open runs go
 * into the data directory.
 */
import { openDb } from '../../../db/db.ts'
import { requireSuitableDatabase } from '../../../db/suitable-database.ts'
import { markRestore, refuseUnfinishedRestore, unmarkRestore } from '../../../db/unfinished-restore.ts'
import { AppError } from '../../../errors.ts'
import { reachDatabase } from '../../faults/database-refusal.ts'
import type { CliSettings } from '../../settings.ts'
import { prepareDataDir } from '../data-directory.ts'
import { fillDatabase, type RestoreRequest } from './fill-database.ts'
import { leadRunsHere, runFilesOf, writeFiles } from './write-files.ts'

/** @throws AppError BACKUP_REFUSED for a database that is not empty, or a login that may not fill it. */
export async function restoreExternal(
  databaseUrl: string,
  settings: Pick<CliSettings, 'dataDir' | 'databaseUrl'>,
  request: RestoreRequest,
): Promise<null> {
  const db = openDb({
    connectionString: databaseUrl,
    applicationName: `panji:${process.pid}:restore`,
    connectionsMax: 1,
  })
  try {
    await reachDatabase(db, databaseUrl)
    await refuseUnfinishedRestore(db)
    const [found] = await db.query<{ used: boolean; able: boolean }>(
      `SELECT to_regclass('runtime.migration') IS NOT NULL AS used,
              has_parameter_privilege('session_replication_role', 'SET') AS able`,
    )
    if (found?.used) {
      throw new AppError(
        'BACKUP_REFUSED',
        'The database of DATABASE_URL already has a Panji. Create an empty one and use it.',
      )
    }
    if (!found?.able) {
      throw new AppError(
        'BACKUP_REFUSED',
        'The login of DATABASE_URL may not restore: it needs a superuser, or GRANT SET ON PARAMETER session_replication_role. For your own server, pg_dump and pg_restore of its version work as well.',
      )
    }
    const files = runFilesOf(request.manifest)
    if (files.length > 0) {
      prepareDataDir(settings)
      await writeFiles(settings.dataDir, files, request.path)
    }
    await requireSuitableDatabase(db)
    await markRestore(db)
    await fillDatabase(databaseUrl, request)
    await leadRunsHere(databaseUrl, settings.dataDir, request)
    await unmarkRestore(db)
    return null
  } finally {
    await db.close()
  }
}
