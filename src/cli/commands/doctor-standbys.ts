/**
 * Whether the standbys of PANJI_READ_DATABASE_URL answer, and how far each is behind. A standby that lags is not read.
 */
import { openDb } from '../../db/db.ts'
import { addressOfServer, serversOf } from '../../domain/database-address.ts'
import { failureOf } from '../faults/failure-text.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CliSettings } from '../settings.ts'

interface Verdict {
  readonly ok: boolean
  readonly detail: string
}

/** A standby replays what the primary wrote within moments; more than this is a fault. */
const behindMax = 16 * 2 ** 20

export async function standbysFollow(
  { db, connections }: OpenInstance,
  { readDatabaseUrl }: CliSettings,
): Promise<Verdict> {
  const address = readDatabaseUrl?.reveal()
  if (address === undefined) return { ok: true, detail: 'none are configured: reads go to the server of DATABASE_URL' }
  const [primary] = await db.query<{ position: string }>(
    'SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS position',
  )
  const found = await Promise.all(
    serversOf(address).map(async ({ host, port }, place): Promise<Verdict> => {
      const { ok, detail } = await lookAt(addressOfServer(address, place), connections, primary?.position ?? '0/0')
      return { ok, detail: `${host}:${port} ${detail}` }
    }),
  )
  return { ok: found.every(({ ok }) => ok), detail: found.map(({ detail }) => detail).join('; ') }
}

async function lookAt(
  connectionString: string,
  { panji_api: api }: OpenInstance['connections'],
  position: string,
): Promise<Verdict> {
  const applicationName = `panji:${process.pid}:doctor`
  const db = openDb({ ...api, connectionString, applicationName, connectionsMax: 1 })
  try {
    const [standby] = await db.query<{ follows: boolean; behind: number | null }>(
      `SELECT pg_is_in_recovery() AS follows,
              greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 AS behind`,
      [position],
    )
    if (standby?.follows !== true) return { ok: false, detail: 'is not a standby: it accepts writes' }
    const behind = standby.behind ?? Number.POSITIVE_INFINITY
    const detail = behind < 1 ? 'is up to date' : `is ${(behind / 2 ** 20).toFixed(1)} MiB of WAL behind`
    return { ok: behind <= behindMax, detail }
  } catch (error) {
    return { ok: false, detail: `does not answer: ${failureOf(error).message}` }
  } finally {
    await db.close()
  }
}
