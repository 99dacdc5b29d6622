/**
 * Restores into the empty database that DATABASE_URL names. The keys come from the environment there; what runs still read
 * goes into the data directory.
 */
import { openDb } from '../../../db/db.ts'
import { AppError } from '../../../errors.ts'
import { reachDatabase } from '../../faults/database-refusal.ts'
import type { CliSettings } from '../../settings.ts'
import { prepareDataDir } from '../data-directory.ts'
import { fillDatabase, type RestoreRequest } from './fill-database.ts'
import { leadRunsHere, runFilesOf, writeFiles } from './write-files.ts'

/** @throws AppError BACKUP_REFUSED for a database that is not empty, or a login that may not fill it as it was. */
export async function restoreBeside(
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
    const [found] = await db.query<{ used: boolean; able: boolean }>(
      `SELECT to_regclass('runtime.migration') IS NOT NULL AS used,
              has_parameter_privilege('session_replication_role', 'SET') AS able`,
    )
    if (found?.used) {
      throw new AppError(
        'BACKUP_REFUSED',
        'The database that DATABASE_URL names holds a Panji already. Create an empty one and name it.',
      )
    }
    if (!found?.able) {
      throw new AppError(
        'BACKUP_REFUSED',
        "The login of DATABASE_URL may not restore: it needs a superuser, or GRANT SET ON PARAMETER session_replication_role. For a server of your own, pg_dump and pg_restore of the server's version do as well.",
      )
    }
  } finally {
    await db.close()
  }
  const files = runFilesOf(request.manifest)
  if (files.length > 0) {
    prepareDataDir(settings)
    await writeFiles(settings.dataDir, files, request.path)
  }
  await fillDatabase(databaseUrl, request)
  await leadRunsHere(databaseUrl, settings.dataDir, request)
  return null
}
