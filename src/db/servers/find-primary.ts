/**
 * Finds the one of several servers that takes writes, each time that a connection opens: after a failover the next
 * connection leads to the new primary, whatever address it has.
 *
 * All are asked at once. Should two of them take writes, as an old primary that came back unfenced beside a promoted standby,
 * the younger timeline is meant; so none is taken before the others had a moment to answer, too.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { addressOfServer, type ServerName, serversOf } from '../../domain/database-address.ts'
import { sql } from '../sql.ts'
import { timelineSql } from '../timeline.ts'

interface Writable {
  readonly server: ServerName
  /** Of its write-ahead log, in hexadecimal digits; each promotion begins a new one. */
  readonly timeline: string
}

/** What one server has to answer in. A failover is waited for by asking again, not by patience with a server that is gone. */
const answerMs = 2_000
/** How long the others are waited for once one was found that takes writes. */
const graceMs = 500
/** Connections that open together share one look. */
const sharedMs = 500

const askSql = sql`SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  coalesce(${timelineSql}, '') AS timeline`

/** @param address of several servers. @returns finds the primary, and throws the fault of a server where none takes writes. */
export function primaryFinder(address: string): () => Promise<ServerName> {
  const servers = serversOf(address)
  /** Those that let the last look wait in vain. They are asked again, and not waited for. */
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
    // A standby that waits for its promotion says more than a server that is away.
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

/** With the code of a statement that a standby refuses, since both say the same of the database. */
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
  // What fails is thrown by the statement that waits for it.
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
