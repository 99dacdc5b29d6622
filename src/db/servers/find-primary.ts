/**
 * Finds the writable one of several servers whenever a connection opens: after a failover, the next connection leads to
 * the new primary, whatever its address.
 *
 * All servers are asked at once. If two of them are writable, such as an old primary that returned unfenced and a
 * promoted standby, the one with the newer timeline is chosen; so none is chosen before the others had a moment to
 * reply.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { addressOfServer, type ServerName, serversOf } from '../../domain/database-address.ts'
import { sql } from '../sql.ts'
import { timelineSql } from '../timeline.ts'

interface Writable {
  readonly server: ServerName
  /** Timeline of its write-ahead log, in hexadecimal digits; each promotion starts a new one. */
  readonly timeline: string
}

/** Timeout of one server's reply. A failover is bridged by asking again, not by waiting for a server that is gone. */
const answerMs = 2_000
/** How long to wait for the other servers once a writable one was found. */
const graceMs = 500
/** Connections that open at the same time share one search. */
const sharedMs = 500

const askSql = sql`SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  coalesce(${timelineSql}, '') AS timeline`

/**
 * @param address of several servers.
 * @returns a function that finds the primary, and throws a server's error if none is writable.
 */
export function primaryFinder(address: string): () => Promise<ServerName> {
  const servers = serversOf(address)
  /** Servers that did not reply in the last search. They are asked again, but not waited for. */
  const silent = new Set<number>()
  let looking: Promise<ServerName> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const look = async (): Promise<ServerName> => {
    const writable: Writable[] = []
    const faults: unknown[] = []
    const open = new Map<number, Promise<void>>()
    const keepAnswer = async (server: ServerName, place: number): Promise<void> => {
      try {
        writable.push({ server, timeline: await readTimeline(address, place) })
        silent.delete(place)
      } catch (fault) {
        faults.push(fault)
        if (fault instanceof ReadOnlyServer) silent.delete(place)
      }
      open.delete(place)
    }
    for (const [place, server] of servers.entries()) open.set(place, keepAnswer(server, place))
    while (writable.length === 0 && open.size > 0) await Promise.race(open.values())
    const others = [...open].flatMap(([place, answer]) => (silent.has(place) ? [] : [answer]))
    await Promise.race([Promise.all(others), delay(graceMs, undefined, { ref: false })])
    for (const place of open.keys()) silent.add(place)
    const [newest] = writable.toSorted((one, other) => other.timeline.localeCompare(one.timeline))
    // A standby that waits for promotion is more informative than a server that is down.
    if (!newest) throw faults.find((fault) => fault instanceof ReadOnlyServer) ?? faults[0]
    return newest.server
  }
  return async () => {
    if (looking === undefined || performance.now() - lookedAt > sharedMs) {
      lookedAt = performance.now()
      looking = look()
    }
    return looking
  }
}

/** Has the code of a statement that a standby rejects, since the cause is the same. */
class ReadOnlyServer extends Error {
  readonly code = '25006'
}

/** @throws ReadOnlyServer, or the connection's own fault. */
async function readTimeline(address: string, place: number): Promise<string> {
  const client = new pg.Client({
    connectionString: addressOfServer(address, place),
    application_name: `panji:${process.pid}:find-primary`,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  // The error is thrown by the statement that is awaited.
  client.on('error', () => {})
  try {
    await client.connect()
    const [server] = (await client.query<{ isReadOnly: boolean; timeline: string }>(askSql)).rows
    if (server?.isReadOnly !== false) throw new ReadOnlyServer('none of the servers of the address takes writes')
    return server.timeline
  } finally {
    await client.end().catch(() => {})
  }
}
