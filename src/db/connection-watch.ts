/**
 * Ends connections whose server is silently gone. A statement that waits for a reply across a dead network would wait
 * for a quarter of an hour (TCP retransmission), or forever if a middlebox keeps the socket alive.
 *
 * Statements may legitimately take hours, so time alone proves nothing. For statements that wait longer than a few
 * seconds, a fresh connection asks the server what it is doing for them. A connection is ended if the server does not
 * reply twice in a row, no longer knows the connection, or is itself waiting for the next statement. The caller then
 * sees "Connection terminated", an ordinary connection fault, within about 15 seconds. While the server stays silent,
 * no further caller waits for it: `assertReachable` throws at once.
 */
import pg from 'pg'
import { withinAwake } from '../domain/awake-time.ts'
import { AppError } from '../errors.ts'
import { serverProcessOf } from './server-process.ts'

export interface WatchTimes {
  readonly tickMs: number
  /** Statements younger than this are not checked. */
  readonly patienceMs: number
  readonly answerMs: number
}

const usualTimes: WatchTimes = { tickMs: 2_500, patienceMs: 3_000, answerMs: 4_000 }

/** A member that pg's types omit: false while the client waits for a reply. */
interface WatchedClient {
  readonly readyForQuery: boolean
}

interface Held {
  readonly since: number
  /** A check has seen the connection on the server. */
  known: boolean
  /** When the server last changed the connection's state, as text, if it was waiting for a statement then. */
  idleSince: string | undefined
}

interface Backend {
  readonly pid: number
  readonly state: string | null
  readonly changed: string | null
}

export interface ConnectionWatch {
  /** @throws AppError UNAVAILABLE from the time the server was found silent until it replies again. */
  assertReachable(): void
  stop(): void
}

export function watchConnections(
  pool: pg.Pool,
  config: pg.ClientConfig,
  times: WatchTimes = usualTimes,
): ConnectionWatch {
  const held = new Map<pg.PoolClient, Held>()
  let asking = false
  let silent = false
  pool.on('acquire', (client) => held.set(client, { since: performance.now(), known: false, idleSince: undefined }))
  pool.on('release', (_error, client) => held.delete(client))

  async function look(): Promise<void> {
    const waiting = [...held].filter(([client, { since }]) => isOld(since, times) && waitsForAnswer(client))
    if (waiting.length === 0 && !silent) return
    const pids = waiting.map(([client]) => serverProcessOf(client))
    const question = () => ask<Backend>(config, times.answerMs, statesOf, pids)
    const first = await question()
    const answer = first === 'silence' && !silent ? await question() : first
    silent = answer === 'silence'
    if (answer === 'busy') return
    const orphans: number[] = []
    for (const [client, state] of waiting) {
      if (held.get(client) !== state || !waitsForAnswer(client)) continue
      const backend = answer === 'silence' ? undefined : answer.find(({ pid }) => pid === serverProcessOf(client))
      const lost = answer === 'silence' || isLost(backend, state)
      if (backend) state.known = true
      state.idleSince = backend?.state === 'active' ? undefined : (backend?.changed ?? undefined)
      if (!lost) continue
      if (backend) orphans.push(backend.pid)
      // While a statement is running, end() closes the socket at once.
      void (client as unknown as pg.Client).end()
    }
    // The server process may still be alive and holding locks that no client will release.
    if (orphans.length > 0) await ask(config, times.answerMs, endOf, orphans)
  }
  const timer = setInterval(() => {
    if (asking) return
    asking = true
    void look().finally(() => {
      asking = false
    })
  }, times.tickMs)
  timer.unref()
  return {
    assertReachable() {
      if (!silent) return
      throw new AppError('UNAVAILABLE', 'The database does not answer. Try again.', {
        retry: 'later',
        retryAfterSeconds: 5,
      })
    },
    stop: () => clearInterval(timer),
  }
}

const watched = (client: pg.PoolClient) => client as unknown as WatchedClient
const waitsForAnswer = (client: pg.PoolClient) => !watched(client).readyForQuery
const isOld = (since: number, times: WatchTimes) => performance.now() - since >= times.patienceMs

/** Two checks find the server waiting since the same moment: the statement or its reply was lost on the network. */
function isLost(backend: Backend | undefined, { known, idleSince }: Held): boolean {
  if (!backend) return known
  return backend.state !== 'active' && idleSince !== undefined && idleSince === backend.changed
}

const statesOf = 'SELECT pid, state, state_change::text AS changed FROM pg_stat_activity WHERE pid = ANY($1)'
const endOf = 'SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid'

/** @returns `busy` if the server refused the connection: it is alive, and nothing more is known. */
async function ask<R extends pg.QueryResultRow>(
  config: pg.ClientConfig,
  answerMs: number,
  statement: string,
  pids: readonly number[],
): Promise<R[] | 'busy' | 'silence'> {
  // These timeouts include time in which the event loop was blocked; they only prevent waiting forever.
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5 * answerMs, query_timeout: 5 * answerMs })
  // The error is reported by the call that fails.
  client.on('error', () => {})
  const answered = async (): Promise<R[]> => {
    await client.connect()
    return (await client.query<R>(statement, [pids])).rows
  }
  try {
    const answer = answered()
    answer.catch(() => {})
    return await withinAwake(answer, answerMs, () => 'silence' as const)
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'busy' : 'silence'
  } finally {
    void client.end().catch(() => {})
  }
}
