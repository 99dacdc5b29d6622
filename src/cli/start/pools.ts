/** The connections of one process: each kind of work has its own pool, so that none waits for another's. */
import { tradeConnections } from '../../../config/connections.ts'
import { expensiveReadPlans } from '../../../config/plans.ts'
import { allAccounts } from '../../db/account-scope.ts'
import { type Db, type DbOptions, openDb } from '../../db/db.ts'
import type { StandbyUsage } from '../../db/standbys/watch.ts'
import { accountTurns } from '../../limits/account-turns.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'
import { openStandbys } from './standbys.ts'

export interface ApiPools {
  readonly db: Db
  readonly registers: Db
  readonly expensiveDb: Db
  /** /readyz checks on its own connection, so that it answers while the others are in use. */
  readonly readinessDb: Db
  readonly standbys: (() => StandbyUsage) | undefined
  readonly closes: readonly (() => Promise<void>)[]
}

/** @returns the pools of cheap and of expensive reads, which never wait for each other. */
export function openApiPools(context: CommandContext, { connections }: OpenInstance): ApiPools {
  const { settings, log } = context
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const { api, expensiveReads } = settings.connections
  const longestMs = Math.max(...Object.values(expensiveReadPlans).map(({ seconds }) => seconds)) * 1000
  const { panji_api: role } = connections
  const pool = (
    name: string,
    connectionsMax: number,
    { rows = {}, ...options }: Partial<DbOptions> & { rows?: Readonly<Record<string, string>> } = {},
  ) =>
    openDb({
      ...role,
      settings: { ...role.settings, ...rows },
      applicationName: `panji:${process.pid}:${name}`,
      connectionsMax,
      onError,
      ...options,
    })
  const cheap = (options: Partial<DbOptions> = {}) =>
    pool('api', api, { rows: allAccounts, isKept: true, turns: accountTurns(api), ...options })
  const expensive = (options: Partial<DbOptions> = {}) =>
    // Other servers' processes are not counted by this one.
    pool('expensive', expensiveReads, {
      statementTimeoutMs: longestMs,
      yielding: settings.databaseUrl === undefined,
      ...options,
    })
  const [db, expensiveDb, readinessDb] = [cheap(), expensive(), pool('ready', 1)]
  const standbys = openStandbys(context, pool)
  const closes = [db, expensiveDb, readinessDb].map((each) => () => each.close())
  return {
    db,
    registers: standbys?.follow(db, (connectionString) => cheap({ connectionString })) ?? db,
    expensiveDb: standbys?.follow(expensiveDb, (connectionString) => expensive({ connectionString })) ?? expensiveDb,
    readinessDb,
    standbys: standbys && (() => standbys.watch.usage()),
    closes: standbys ? [() => standbys.close(), ...closes] : closes,
  }
}

/**
 * Payments are settled and subscriptions renewed by their own role: no other job can spend credits. @returns undefined
 * where the login may become the worker's role but not this one: another process has to do those jobs.
 */
export function openTradePool({ log }: CommandContext, { connections }: OpenInstance): Db | undefined {
  const { panji_trade: trade, panji_worker: worker } = connections
  if (trade.role === undefined && worker.role !== undefined) return undefined
  return openDb({
    ...trade,
    applicationName: `panji:${process.pid}:trade`,
    connectionsMax: tradeConnections,
    onError: (error: Error) => log.warn({ err: error }, 'a database connection was lost'),
  })
}
