/**
 * A pooler between Panji and its database may leave the settings of a startup packet out (PgBouncer's
 * `ignore_startup_parameters`): statements would then run as the login instead of the role, for nobody's account, and under
 * whatever time-outs and isolation the login has. So each new connection says whether they arrived. Where they did not,
 * they are set by a statement, which holds in a session of its own; a session that is shared is refused.
 */
import type pg from 'pg'
import { refuseSharedSession } from './pooler-mode.ts'
import { noteServerProcess } from './server-process.ts'
import { sql } from './sql.ts'
import { noteTimeline, timelineSql } from './timeline.ts'

/** Its value is a hash of the other settings: they travel together, so that they arrived where it did. */
export const markName = 'panji.session'
/** From PostgreSQL 17 on; an older server refuses a startup packet that names it. */
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

/** Nothing watches a connection that is still opening, so a server that is gone is noticed by this. */
const query_timeout = 5_000

/** @param wanted the settings, and the mark among them. */
export function checkSession(
  connection: pg.ClientConfig,
  wanted: Readonly<Record<string, string>>,
): (client: pg.ClientBase) => Promise<void> {
  /** Found out once for all connections of a pool: they lead to one place. */
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
