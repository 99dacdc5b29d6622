/** The API over a test database, called without a socket, with accounts created and signed in through the real path. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { createAccount, type NewAccount } from '../../src/access/accounts.ts'
import { issueApiKey } from '../../src/access/api-keys.ts'
import { checkedBillingDetails } from '../../src/access/billing-details.ts'
import type { Routes } from '../../src/api/route-context.ts'
import { buildServer } from '../../src/api/server.ts'
import type { ServerOptions } from '../../src/api/server-options.ts'
import type { Db } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import type { JobSender } from '../../src/queue/queue.ts'
import { findSealingKey } from '../../src/secrets/canary.ts'
import type { TestDatabase } from './database.ts'

export const operatorToken = 'operator-token-of-the-tests'
export const secretKey = new Secret('secret-key-of-the-tests')

/** The enqueued jobs: there is no worker here. */
export interface RecordedJobs extends JobSender {
  readonly sent: { readonly queue: string; readonly payload: unknown }[]
}

export function recordJobs(): RecordedJobs {
  const sent: { queue: string; payload: unknown }[] = []
  return {
    sent,
    send: async (_tx, queue, payload) => {
      sent.push({ queue: queue.name, payload: queue.payload.parse(payload) })
      return String(sent.length)
    },
  }
}

export interface TestApi {
  readonly app: FastifyInstance
  readonly queue: RecordedJobs
  get(url: string, token?: string): Promise<LightMyRequestResponse>
  post(url: string, token: string | undefined, payload?: object, headers?: object): Promise<LightMyRequestResponse>
}

let addresses = 0
/** A client address of its own, so that failures in one test do not throttle another. */
export const freshAddress = () => `10.1.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

/** Call at the top of a file, after useTestDatabase. */
export function useApi(
  database: TestDatabase,
  extraRoutes: readonly Routes[] = [],
  options: Partial<ServerOptions> = {},
): TestApi {
  let app: FastifyInstance | undefined
  const queue = recordJobs()
  beforeAll(async () => {
    app = await buildTestServer(database, queue, extraRoutes, options)
  })
  afterAll(async () => {
    await app?.close()
  })
  const running = () => {
    if (!app) throw new Error('the API runs only inside tests and hooks')
    return app
  }
  const call = (options: InjectOptions, token: string | undefined) =>
    running().inject({
      remoteAddress: '10.0.0.1',
      ...options,
      headers: { ...options.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    })
  return {
    get app() {
      return running()
    },
    queue,
    get: (url, token) => call({ method: 'GET', url }, token),
    post: (url, token, payload, headers) =>
      call({ method: 'POST', url, ...(payload ? { payload } : {}), headers: { ...headers } }, token),
  }
}

export async function buildTestServer(
  database: TestDatabase,
  queue: JobSender,
  extraRoutes: readonly Routes[] = [],
  options: Partial<ServerOptions> = {},
): Promise<FastifyInstance> {
  // As opening an instance does: the first canary is identified by everything sealed, which no API role may read.
  await database.db.transaction((tx) => findSealingKey(tx, options.secretKey ?? secretKey))
  const app = await buildServer({
    db: database.as('panji_api'),
    expensiveReads: { db: database.expensive(), places: 3 },
    queue,
    log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
    // Most tests have no worker, so streams that follow a run would never end.
    eventStreams: { longestMs: 20, lookMs: 5 },
    settings: {
      leadSource: 'Panji',
      onlineLabel: 'online',
      signInLinks: true,
      sandboxPages,
      allowPrivateSources: true,
    },
    connectors,
    connect: {
      publicUrl: 'https://panji.example.in',
      apps: [{ connector: 'salesforce', clientId: 'operators-app', clientSecret: new Secret('operators-secret') }],
    },
    secretKey,
    operatorToken: new Secret(operatorToken),
    ...options,
    // Tests share their event loop and the machine with others: load is shed only where a test asks for it.
    http: { loopDelayMsMax: Number.POSITIVE_INFINITY, ...options.http },
    trustedProxies: [],
    extraRoutes,
  })
  await app.ready()
  return app
}

/** As of sandboxes running next to it: every address of theirs belongs to a record. */
const sandboxPages: ServerOptions['settings']['sandboxPages'] = {
  pagesUrl: () => 'http://127.0.0.1:8081/pages?pass=all',
  recordUrl: (address, all) =>
    URL.parse(address)?.origin === 'http://127.0.0.1:8081'
      ? `${new URL(address).href}?pass=${all ? 'all' : 'one'}`
      : undefined,
}

let accounts = 0

export interface Customer {
  readonly accountId: string
  readonly apiKey: string
}

/** The buyer on the invoices of tests, in the sample seller's state. */
export const billingOfTests = {
  legalName: 'Mandovi Trading LLP',
  address: '12 Altinho, Panaji 403001',
  placeOfSupply: '30',
}

export async function createCustomer(db: Db, options: Partial<NewAccount> = {}): Promise<Customer> {
  const email = `customer${++accounts}@example.com`
  const { accountId } = await createAccount(db, { email, plan: 'free', isEnterprise: false, ...options })
  const billing = JSON.stringify(checkedBillingDetails(billingOfTests))
  await db.execute('UPDATE access.account SET billing = $2::jsonb WHERE account_id = $1', [accountId, billing])
  const { apiKey } = await issueApiKey(db, accountId)
  return { accountId, apiKey }
}

export interface LoggedIn extends Customer {
  readonly token: string
  readonly refreshToken: string
}

export async function logInCustomer(api: TestApi, customer: Customer): Promise<LoggedIn> {
  const reply = await api.post('/api/auth/login', undefined, { api_key: customer.apiKey })
  if (reply.statusCode !== 200) throw new Error(`login answered ${reply.statusCode}: ${reply.body}`)
  const { token } = reply.json<{ token: { access_token: string; refresh_token: string } }>()
  return { ...customer, token: token.access_token, refreshToken: token.refresh_token }
}

/** A new account with a session. */
export async function newCustomer(
  api: TestApi,
  database: TestDatabase,
  options: Partial<NewAccount> = {},
): Promise<LoggedIn> {
  return logInCustomer(api, await createCustomer(database.db, options))
}
