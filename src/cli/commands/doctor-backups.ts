/** Doctor's look at backups: where a schedule writes them, the newest must be of the last day. */
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CliSettings } from '../settings.ts'

/** A night, and some hours for one that is late or takes long. */
const hoursMax = 30

interface NewestBackup {
  readonly hours: number
  readonly told: string
  readonly restored: boolean
}

export async function backupsAreFresh(
  { db }: Pick<OpenInstance, 'db'>,
  { backups: { dir } }: Pick<CliSettings, 'backups'>,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const [newest] = await db.query<NewestBackup>(
    `SELECT extract(epoch FROM now() - at) / 3600 AS hours, coalesce((detail ->> 'restore_verified')::boolean, false) AS restored,
            concat(detail ->> 'file', ' of ', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')) AS told
     FROM access.audit WHERE subject = 'instance' AND action = 'finish backup' ORDER BY audit_id DESC LIMIT 1`,
  )
  const [since] = await db.query<{ hours: number }>(
    `SELECT extract(epoch FROM now() - greatest(created_at, started)) / 3600 AS hours
     FROM runtime.schedule, pg_postmaster_start_time() AS started WHERE name = 'write-backup'`,
  )
  const found = newest ? `the newest is ${newest.told}, ${restoreOf(newest)}` : 'none was written yet'
  if (dir === undefined) {
    const way = newest ? '' : '; `panji backup FILE --verify-restore` writes one'
    return { ok: true, detail: `${found}${way}; PANJI_BACKUP_DIR names no folder for one each night` }
  }
  const ok = Number(newest?.hours ?? since?.hours ?? 0) <= hoursMax
  const late =
    'that is more than a night ago: `panji schedule run write-backup` writes one now, `panji jobs dead` tells what failed'
  return { ok, detail: ok ? found : `${found}; ${late}` }
}

const restoreOf = ({ restored }: NewestBackup): string =>
  restored ? 'and its restore succeeded' : 'and its restore was not tried'
