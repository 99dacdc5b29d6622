/**
 * The whole server as `npm start` builds it: authentication, burst and daily limits counted in the database, headers,
 * logs at the default level. Every caller has an account of its own; the limits are counted exactly, only set too high
 * to be reached.
 */
import { openSync } from 'node:fs'
import { destination, pino } from 'pino'
import { connectionPools } from '../../config/connections.ts'
import type { PlanName } from '../../config/plans.ts'
import { createAccount } from '../../src/access/accounts.ts'
import { issueApiKey } from '../../src/access/api-keys.ts'
import { grantEntitlement, type NewEntitlement } from '../../src/access/grants.ts'
import { buildServer } from '../../src/api/server.ts'
import { type Db, type DbOptions, openDb } from '../../src/db/db.ts'
import { entityTypes } from '../../src/domain/identity.ts'
import { Secret } from '../../src/domain/secret.ts'
import { accountTurns } from '../../src/limits/account-turns.ts'
import type { JobSender } from '../../src/queue/queue.ts'
import type { StartTarget, TargetServer } from '../server-thread.ts'

const unreached = 1_000_000_000
const daily = { search: unreached, details: unreached, screener: unreached }
/** The bench has no worker: nothing that is measured enqueues a job. */
const queue: JobSender = { send: async () => 'not run' }

export const startTarget: StartTarget = (databaseUrl, { accounts }) =>
  startPanji(databaseUrl, { plans: Array.from({ length: accounts }, () => 'premium'), walls: true })

export interface World {
  /** One account of each plan, in this order. */
  readonly plans: readonly PlanName[]
  /** Without walls, expensive reads share the connections of all other requests, without a limit of their own. */
  readonly walls: boolean
  /** The grants of each account for each feed; by default one that covers all of it. */
  readonly grants?: readonly Granted[]
}

export type Granted = Pick<NewEntitlement, 'states' | 'districts' | 'pincodes' | 'from' | 'to'>

export async function startPanji(databaseUrl: string, { plans, walls, grants = [{}] }: World): Promise<TargetServer> {
  const pool = (name: string, connectionsMax: number, options: Partial<DbOptions> = {}) =>
    openDb({ connectionString: databaseUrl, applicationName: `panji-bench-${name}`, connectionsMax, ...options })
  const db = pool('api', connectionPools.api, { isKept: true, turns: accountTurns(connectionPools.api) })
  const readinessDb = pool('ready', 1)
  const anything = { atOnce: unreached, waiting: unreached, takesLast: true, seconds: 5, parallel: true }
  const app = await buildServer({
    db,
    expensiveReads: walls
      ? {
          db: pool('expensive', connectionPools.expensiveReads, { yielding: true }),
          places: connectionPools.expensiveReads,
        }
      : { db, places: unreached, plans: { free: anything, premium: anything } },
    readinessDb,
    documentAtStart: true,
    queue,
    log: pino({ level: 'info', base: null }, destination({ dest: openSync('/dev/null', 'w'), sync: true })),
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    secretKey: new Secret('secret-key-of-the-bench'),
    operatorToken: new Secret('operator-token-of-the-bench'),
    trustedProxies: [],
    limits: { burstPerMinute: unreached, daily: { free: daily, premium: daily } },
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const callers = []
  for (const plan of plans) callers.push({ authorization: `Bearer ${await logIn(db, origin, plan, grants)}` })
  return { origin, callers }
}

let accountsMade = 0

/** An account with the grants for every feed. @returns its access token, from the login endpoint. */
async function logIn(db: Db, origin: string, plan: PlanName, grants: readonly Granted[]): Promise<string> {
  const email = `bench${++accountsMade}-${process.pid}-${Date.now()}@example.com`
  const { accountId } = await createAccount(db, { email, plan, isEnterprise: false })
  for (const dataset of entityTypes) {
    for (const grant of grants) await grantEntitlement(db, { accountId, dataset, grantedBy: 'subscription', ...grant })
  }
  const { apiKey } = await issueApiKey(db, accountId)
  const reply = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
  const { token } = (await reply.json()) as { token: { access_token: string } }
  return token.access_token
}
