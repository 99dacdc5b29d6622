/** Whether the server allows as many connections as its processes may open with the sizes of this configuration. */
import { connectionsBesidePools } from '../../../config/connections.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CliSettings } from '../settings.ts'

interface Seen {
  readonly allowed: number
  readonly used: number
  readonly apis: number
  readonly others: number
}

/**
 * Counts the processes on this database. They name themselves in their connections: `panji:PID`, with `:api` for the
 * pool that only an API has. `used` counts every login in all databases: only `pg_monitor` sees the kind of another
 * login's backend, but anyone sees its database.
 */
const seenNow = `WITH connection AS (
  SELECT host(client_addr) AS host, split_part(application_name, ':', 2) AS process,
         application_name ~ '^panji:[0-9]+:api$' AS of_api
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name ~ '^panji:[0-9]+'
    AND split_part(application_name, ':', 2) <> $1
), process AS (SELECT bool_or(of_api) AS is_api FROM connection GROUP BY host, process)
SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed,
       (SELECT count(*)::int FROM pg_stat_activity
         WHERE coalesce(backend_type = 'client backend', usesysid IS NOT NULL AND datid IS NOT NULL)) AS used,
       (SELECT count(*)::int FROM process WHERE is_api) AS apis,
       (SELECT count(*)::int FROM process WHERE NOT is_api) AS others`

const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

/**
 * Assumes at least one API and one worker, even if fewer are connected. `panji start` is an API that also runs jobs.
 */
export async function connectionsSuffice(
  { db }: OpenInstance,
  { connections, databaseUrl }: CliSettings,
): Promise<{ ok: boolean; detail: string }> {
  const [seen] = await db.query<Seen>(seenNow, [String(process.pid)])
  if (!seen) throw new Error('the database does not report its connections')
  const [apis, others] = [Math.max(1, seen.apis), Math.max(1, seen.others)]
  const ofApi = connections.api + connections.expensiveReads + connectionsBesidePools
  const wanted = apis * ofApi + others * (connections.jobs + connectionsBesidePools)
  const processes = `${counted(apis, 'API', 'APIs')} and ${counted(others, 'worker or scheduler', 'workers or schedulers')}`
  const detail = `${seen.used} of ${seen.allowed} are in use; ${processes} take up to ${wanted}`
  const way = 'raise max_connections, or lower PANJI_API_CONNECTIONS, PANJI_EXPENSIVE_READS or PANJI_JOB_CONNECTIONS'
  // The embedded server runs for one process, whose pools are bounded by its configuration.
  if (databaseUrl === undefined || wanted <= seen.allowed) return { ok: true, detail }
  return { ok: false, detail: `${detail}: ${way}` }
}
