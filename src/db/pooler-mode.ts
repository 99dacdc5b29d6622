/**
 * Detects whether a session belongs to this connection alone. A pooler in transaction mode gives a connection another
 * server for each transaction: roles, settings, advisory locks and LISTEN, which belong to a session, would affect
 * other clients and be lost.
 *
 * A server that answers two connections, or that changes between two statements of one connection, is shared. A second
 * connection holds a transaction open during the check, so that the first cannot happen to get the same server each
 * time.
 */
import pg from 'pg'
import { AppError } from '../errors.ts'

const answerMs = 4_000
/** A pooler that rotates its servers may return the same one a few times. */
const rounds = 4

/** @throws AppError POOLER_UNSUITABLE */
export async function refuseSharedSession(client: pg.ClientBase, connection: pg.ClientConfig): Promise<void> {
  const other = new pg.Client({ ...connection, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  // The error is thrown by the statement that is awaited.
  other.on('error', () => {})
  const own = await askServer(client)
  try {
    await other.connect()
    for (let round = 0; round < rounds; round++) {
      await other.query('BEGIN').catch(refuseStatementMode)
      const others = await askServer(other)
      const now = await askServer(client)
      await other.query('COMMIT')
      if (others === own || now !== own) throw shared()
    }
  } finally {
    await other.end().catch(() => {})
  }
}

async function askServer(client: pg.ClientBase): Promise<number | undefined> {
  const question = { text: 'SELECT pg_backend_pid() AS pid', query_timeout: answerMs }
  return (await client.query<{ pid: number }>(question)).rows[0]?.pid
}

/** In statement mode, PgBouncer rejects every transaction. */
function refuseStatementMode(error: unknown): never {
  throw error instanceof pg.DatabaseError ? shared(error) : error
}

const shared = (cause?: unknown) =>
  new AppError(
    'POOLER_UNSUITABLE',
    'The pooler before the database gives a session to several connections at once (PgBouncer: pool_mode = transaction or ' +
      'statement). Panji needs sessions of its own: set pool_mode = session for its database, or connect to PostgreSQL itself.',
    { cause, retry: 'later', retryAfterSeconds: 60 },
  )
