/**
 * In a tree with an added column: migrates a database, imports two snapshots, and prints what a company's details, its
 * history, the screener and a lead show. A process of its own, because the tree may be a copy.
 */
import { createAccount } from '../../src/access/accounts.ts'
import { issueApiKey } from '../../src/access/api-keys.ts'
import { buildServer } from '../../src/api/server.ts'
import { Secret } from '../../src/domain/secret.ts'
import { buildLeads } from '../../src/leads/build-leads.ts'
import { readLeads } from '../../src/leads/read-leads.ts'
import { grantCredits, refundItems } from '../../src/orders/ledger.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import { findSealingKey } from '../../src/secrets/canary.ts'
import { type AskedIngest, childKey, childLog, childQueue, takeIn } from './recipe-ingest.ts'

interface Asked extends AskedIngest {
  readonly cin: string
  readonly query: string
}

const asked = JSON.parse(process.argv[2] ?? '') as Asked
const { cin, query } = asked
const { db, api, worker, applied, runs, close } = await takeIn(asked)
const statuses = runs.map(({ status }) => status)

const { accountId } = await createAccount(db, { email: 'recipe@example.com', plan: 'premium', isEnterprise: false })
const { apiKey } = await issueApiKey(db, accountId)
await db.transaction((tx) => findSealingKey(tx, childKey))
const app = await buildServer({
  db: api,
  queue: childQueue,
  log: childLog,
  settings: { leadSource: 'Panji', onlineLabel: 'online' },
  secretKey: childKey,
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
const { orderId } = await placeOrder(api, childQueue, { onlineLabel: 'online' }, order)
await buildLeads(worker, { orderId, leadSource: 'Panji', refund: refundItems })
const [lead] = await readLeads(db, orderId)
console.log(JSON.stringify({ applied, statuses, details, history, found, document, lead }))
await app.close()
await close()
