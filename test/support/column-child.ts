/**
 * A tree in which a column was added migrates a database, takes two snapshots in and answers: prints what a company's
 * details, its history, the screener and a lead show. A process of its own, for the tree may be a copy.
 */
import { pino } from 'pino'
import { createAccount } from '../../src/access/accounts.ts'
import { issueApiKey } from '../../src/access/api-keys.ts'
import { buildServer } from '../../src/api/server.ts'
import { allAccounts } from '../../src/db/account-scope.ts'
import { openDb } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Secret } from '../../src/domain/secret.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { keepInput } from '../../src/ingest/run/source-address.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { readLeads } from '../../src/leads/read-leads.ts'
import { grantCredits, refundItems } from '../../src/orders/ledger.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { findSealingKey } from '../../src/secrets/canary.ts'
import { settingsOf } from '../../src/suppression/suppression-key.ts'

interface Asked {
  /** As the superuser, and as the two roles. */
  readonly urls: readonly [string, string, string]
  readonly folder: string
  readonly source: string
  /** Path and day. */
  readonly snapshots: readonly (readonly [string, string])[]
  readonly cin: string
  readonly query: string
}

const { urls, folder, source, snapshots, cin, query } = JSON.parse(process.argv[2] ?? '') as Asked
const settings = settingsOf(Buffer.alloc(32, 'key of the suppression list'))
const open = (connectionString: string, more = {}) =>
  openDb({ connectionString, applicationName: 'panji-recipe', settings: { ...settings, ...more } })
const [db, api, worker] = [open(urls[0]), open(urls[1], allAccounts), open(urls[2])]
const secretKey = new Secret('the secret key of tests')
const queue = { send: async () => 'nobody runs it here' }
const log = pino({ level: 'silent' })

const applied = await migrate(db)
const statuses: string[] = []
for (const [path, asOf] of snapshots) {
  const { runId } = await db.transaction((tx) => requestRun(tx, queue, { source, asOf, ...keepInput(path, secretKey) }))
  const signal = new AbortController().signal
  const deps = { db: worker, queue, log, signal, allowPrivateSources: false, dataDir: folder, secretKey }
  statuses.push((await runSnapshot(deps, runId)).status)
}

const { accountId } = await createAccount(db, { email: 'recipe@example.com', plan: 'premium', isEnterprise: false })
const { apiKey } = await issueApiKey(db, accountId)
await db.transaction((tx) => findSealingKey(tx, secretKey))
const app = await buildServer({
  db: api,
  queue,
  log,
  settings: { leadSource: 'Panji', onlineLabel: 'online' },
  secretKey,
  operatorToken: new Secret('operator-token-of-the-child'),
  trustedProxies: [],
})
const call = async (method: 'GET' | 'POST', url: string, payload?: object, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await app.inject({ method, url, headers, ...(payload && { payload }) })).json()
}
const { token } = await call('POST', '/api/auth/login', { api_key: apiKey })
const read = (url: string) => call('GET', url, undefined, token.access_token)
const details = await read(`/api/company/details?cin=${cin}`)
const history = await read(`/api/company/history?cin=${cin}`)
const found = await call('POST', '/api/screener/search', { type: 'company', query }, token.access_token)
const document = await call('GET', '/openapi.json')

await db.transaction((tx) => grantCredits(tx, accountId, 10, 'grant:recipe'))
const items = [{ type: 'company' as const, name: 'X', number: cin }]
const order = { accountId, orderName: 'Recipe', paymentOption: 'credits' as const, items }
const { orderId } = await placeOrder(api, queue, { onlineLabel: 'online' }, order)
await buildLeads(worker, { orderId, leadSource: 'Panji', refund: refundItems })
const [lead] = await readLeads(db, orderId)
console.log(JSON.stringify({ applied, statuses, details, history, found, document, lead }))
await app.close()
for (const each of [db, api, worker]) await each.close()
