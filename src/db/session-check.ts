/**
 * A pooler between Panji and its database may drop the settings of a startup packet (PgBouncer's
 * `ignore_startup_parameters`). Statements would then run as the login instead of the role, for no account, and with
 * the login's default timeouts and isolation. So each new connection checks whether its settings arrived. If not, a
 * statement sets them, which works if the session belongs to this connection; a shared session is refused.
 */
import type pg from 'pg'
import { refuseSharedSession } from './pooler-mode.ts'
import { noteServerProcess } from './server-process.ts'
import { sql } from './sql.ts'
import { noteTimeline, timelineSql } from './timeline.ts'

/** Its value is a hash of the other settings: all travel together, so if it arrived, they did. */
export const markName = 'panji.session'
/** PostgreSQL 17 and later; an older server refuses a startup packet with it. */
const newerTimeout = 'transaction_timeout'

interface Arrived {
  readonly pid: number
  readonly mark: string | null
  readonly limited: boolean
  readonly timeline: string | null
}

const arrivedSql = sql`SELECT pg_backend_pid() AS pid, current_setting($1, true) AS mark,
                           coalesce(current_setting($2, true), '0') <> '0' AS limited, ${timelineSql} AS timeline`
const setSql = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS wanted (name, value)'

/** A connection that is still opening is not watched, so this detects a server that is gone. */
const query_timeout = 5_000

/** @param wanted the settings, including the mark. */
export function checkSession(
  connection: pg.ClientConfig,
  wanted: Readonly<Record<string, string>>,
): (client: pg.ClientBase) => Promise<void> {
  /** Checked once for all connections of a pool: they lead to the same place. */
  let isOwn = false

  return async (client) => {
    const ask = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => {
      const question = { text, values: [...values], query_timeout }
      return (await client.query<R>(question)).rows
    }
    const set = (settings: Readonly<Record<string, string>>) =>
      ask(setSql, [Object.keys(settings), Object.values(settings)])

    const [arrived] = await ask<Arrived>(arrivedSql, [markName, newerTimeout])
    const { processID } = client as unknown as { readonly processID: number | null }
    if (arrived) noteServerProcess(client, arrived.pid)
    noteTimeline(client, arrived?.timeline ?? null)
    const isComplete = arrived?.mark === wanted[markName]
    if (!isOwn && !(isComplete && arrived?.pid === processID)) await refuseSharedSession(client, connection)
    isOwn = true
    if (!isComplete) await set(wanted)
    if (arrived?.limited === true && wanted[newerTimeout] === undefined) await set({ [newerTimeout]: '0' })
  }
}
