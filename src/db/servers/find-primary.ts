/**
 * Finds the one of several servers that takes writes, each time that a connection opens: after a failover the next
 * connection leads to the new primary, whatever address it has.
 *
 * The server of before is asked first and alone. Where it is gone or a standby by now, all are asked at once; should two of
 * them take writes, as an old primary that came back unfenced beside a promoted standby, the younger timeline is meant.
 */
import pg from 'pg'
import { addressOfServer, type ServerName, serversOf } from '../../domain/database-address.ts'

interface Writable {
  readonly place: number
  /** Of its write-ahead log, in hexadecimal digits; each promotion begins a new one. */
  readonly timeline: string
}

/** What one server has to answer in. A failover is waited for by asking again, not by patience with a server that is gone. */
const answerMs = 2_000
/** Connections that open together share one look. */
const sharedMs = 500

const askSql = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`

/** @param address of several servers. @returns finds the primary, and throws the fault of a server where none takes writes. */
export function primaryFinder(address: string): () => Promise<ServerName> {
  const servers = serversOf(address)
  let last: number | undefined
  let looking: Promise<ServerName> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const look = async (): Promise<ServerName> => {
    const known = last === undefined ? undefined : await ask(address, last).catch(() => undefined)
    const { place } = known ?? (await askAll(address, servers.length))
    last = place
    return servers[place] as ServerName
  }
  return async () => {
    if (looking === undefined || performance.now() - lookedAt > sharedMs) {
      lookedAt = performance.now()
      looking = look()
    }
    return looking
  }
}

async function askAll(address: string, count: number): Promise<Writable> {
  const asked = await Promise.allSettled(Array.from({ length: count }, (_, place) => ask(address, place)))
  const writable = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const [newest] = writable.toSorted((one, other) => other.timeline.localeCompare(one.timeline))
  if (newest) return newest
  const faults = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  // A standby that waits for its promotion says more than a server that is away.
  throw faults.find((fault) => fault instanceof ReadOnlyServer) ?? faults[0]
}

/** With the code of a statement that a standby refuses, since both say the same of the database. */
class ReadOnlyServer extends Error {
  readonly code = '25006'
}

/** @throws ReadOnlyServer, or the connection's own fault. */
async function ask(address: string, place: number): Promise<Writable> {
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
    return { place, timeline: server.timeline }
  } finally {
    await client.end().catch(() => {})
  }
}
