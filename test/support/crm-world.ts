/** Destinations and deliveries of an account, to sandbox CRMs, for tests that call all operations. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { addDestination } from '../../src/deliver/destinations/destinations.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { addWebhook } from '../../src/notify/webhooks/webhooks.ts'
import { gstLead } from '../conformance/sample-leads.ts'
import { insertOrder } from '../integration/deliver/paid-order.ts'
import { recordJobs, secretKey, type TestApi } from './api.ts'
import type { TestDatabase } from './database.ts'

export interface CrmWorld {
  /** A new destination of the account; earlier ones are removed, to stay below the limit. */
  destination(accountId: string): Promise<string>
  delivery(accountId: string): Promise<string>
  webhook(accountId: string): Promise<string>
  /** The word that a browser shows after consent on a CRM's own page, started by this session. */
  word(api: TestApi, token: string): Promise<string>
  event(accountId: string): Promise<string>
}

/** Call at the top of a file, after useTestDatabase. */
export function useCrmWorld(database: TestDatabase): CrmWorld {
  let server: RunningSandboxes | undefined
  beforeAll(async () => {
    server = await startSandboxes(sandboxes(), { port: 0 })
  })
  afterAll(async () => {
    await server?.close()
  })
  async function destination(accountId: string): Promise<string> {
    await database.db.execute(`UPDATE deliver.destination SET status = 'removed' WHERE account_id = $1`, [accountId])
    // Clears the backoffs caused by other tests of the file.
    await database.db.execute('DELETE FROM deliver.limiter')
    const [crm = ''] = server?.crms ?? []
    const given = { accountId, connector: crm, name: randomUUID(), settings: server?.settings(crm) }
    return (await addDestination(database.db, connectors, secretKey, given)).destination_id
  }
  return {
    destination,
    async word(api, token) {
      const [crm = ''] = server?.crms ?? []
      const body = { type: crm, name: randomUUID(), settings: server?.settings(crm) }
      const begun = await api.post('/api/crm/destinations/connect', token, body)
      const address = new URL(begun.json().authorize_url)
      const allowed = new URLSearchParams([...address.searchParams, ['consent', 'allow']])
      const page = await fetch(address, { method: 'POST', body: allowed, redirect: 'manual' })
      const back = new URL(page.headers.get('location') ?? '')
      return /<code>([\w-]{43})</.exec((await api.get(`${back.pathname}${back.search}`)).body)?.[1] ?? ''
    },
    async webhook(accountId) {
      await database.db.execute('UPDATE deliver.webhook SET removed_at = now() WHERE account_id = $1', [accountId])
      const given = { accountId, url: 'https://example.com/hook' }
      return (await addWebhook(database.db, secretKey, given)).webhook_id
    },
    async event(accountId) {
      const [row] = await database.db.query<{ id: string }>(
        `INSERT INTO deliver.event (account_id, type, data) VALUES ($1, 'destination.recovered', '{}')
         RETURNING event_id AS id`,
        [accountId],
      )
      return row?.id ?? ''
    },
    async delivery(accountId) {
      const destinationId = await destination(accountId)
      const orderId = await insertOrder(database.db, accountId, [gstLead(1)])
      await database.db.transaction((tx) => requestPush(tx, recordJobs(), { orderId, destinationId }))
      const [row] = await database.db.query<{ id: string }>(
        'SELECT delivery_id AS id FROM deliver.delivery WHERE order_id = $1',
        [orderId],
      )
      // In the state after the CRM's answer.
      await database.db.execute(`UPDATE deliver.record SET crm_id = '1' WHERE destination_id = $1`, [destinationId])
      await database.db.execute(
        `UPDATE deliver.delivery SET state = 'acknowledged', outcome = 'created', acknowledged_at = now(), crm_id = '1',
           payload_sha256 = sha256('lead') WHERE order_id = $1`,
        [orderId],
      )
      await database.db.execute('UPDATE deliver.destination SET record_urls = $2 WHERE destination_id = $1', [
        destinationId,
        JSON.stringify({ gst: 'http://127.0.0.1:8081/pages/zoho/records/{id}' }),
      ])
      return row?.id ?? ''
    },
  }
}
