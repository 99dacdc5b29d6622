/**
 * Doctor's check of backups: if a schedule writes them, the newest must be less than a day old, and none may have
 * failed since.
 */
import { type FinishedBackup, newestBackups } from '../../audit/newest-backup.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { listDeadLetters } from '../../queue/dead-letters.ts'
import { queues } from '../../queue/queues.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CliSettings } from '../settings.ts'

/** A day, and some hours of slack for a late or slow backup. */
const hoursMax = 30

export async function backupsAreFresh(
  { db }: Pick<OpenInstance, 'db'>,
  { backups: { dir } }: Pick<CliSettings, 'backups'>,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const { written: newest } = await newestBackups(db)
  const [since] = await db.query<{ hours: number }>(
    `SELECT (extract(epoch FROM now() - greatest(created_at, started)) / 3600)::float8 AS hours
     FROM runtime.schedule, pg_postmaster_start_time() AS started WHERE name = 'write-backup'`,
  )
  const found = newest ? `the newest is ${describe(newest)}` : 'none has been written yet'
  const failed = await lastFailure(db, newest)
  if (failed) return { ok: false, detail: `${found}; ${failed}` }
  if (dir === undefined) {
    const way = newest ? '' : '; `panji backup FILE --verify-restore` writes one'
    return { ok: true, detail: `${found}${way}; set PANJI_BACKUP_DIR to a folder for nightly backups` }
  }
  const ok = (newest ? hoursSince(newest.finishedAt) : (since?.hours ?? 0)) <= hoursMax
  const late =
    'that is more than a day ago: `panji backup` writes one now; `panji jobs dead`, or the journal of your timer, shows what failed'
  return { ok, detail: ok ? found : `${found}; ${late}` }
}

/** Why the last scheduled backup failed, unless one was written since. */
async function lastFailure(db: OpenInstance['db'], newest: FinishedBackup | undefined): Promise<string | undefined> {
  const last = (await listDeadLetters(db)).findLast(({ queue }) => queue === queues.writeBackup.name)
  if (!last || (newest && newest.finishedAt > last.failed_at)) return undefined
  return `the backup of ${shownInstant(last.failed_at)} failed: ${last.message ?? 'no reason was recorded'}; once that is fixed, \`panji jobs redrive ${last.job_id}\` writes it`
}

const hoursSince = (at: Date): number => (Date.now() - at.getTime()) / 3_600_000

function describe({ file, finishedAt, restoreVerified }: FinishedBackup): string {
  return `${file} of ${shownInstant(finishedAt)}, and its restore ${restoreVerified ? 'succeeded' : 'was not tested'}`
}
