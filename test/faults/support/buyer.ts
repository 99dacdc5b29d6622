/** A customer over HTTP who buys GST registrations with credits, into a CRM in a box, and writes down what was acknowledged. */
import { setTimeout as delay } from 'node:timers/promises'
import { connectors } from '../../../connectors/index.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { sandboxes } from '../../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import type { Db } from '../../../src/db/db.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { gstinOf } from '../../integration/orders/world.ts'
import { createCustomer } from '../../support/api.ts'
import type { Answer } from './running-panji.ts'

const crm = 'salesforce'

export interface Buyer {
  readonly box: Sandbox
  /** Orders that were answered with 201: the key of the call, the order's id. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Deliveries that the API told as acknowledged by the CRM, with the record's id there. */
  readonly delivered: ReadonlyMap<string, string>
  /** Every answer to a call that writes. */
  readonly writes: readonly Answer[]
  readonly headers: Readonly<Record<string, string>>
  /** Buys the next registration, and reads what arrived. */
  buy(): Promise<void>
  readDeliveries(): Promise<void>
  /** Goes on buying until `stop`. */
  start(): { stop(): Promise<void> }
  /** Sends again, under its key, whatever had no good answer. */
  repeat(): Promise<void>
  /** Sends an order again, under its key. */
  again(serial: number): Promise<void>
  /** The keys of all orders that were ever sent; each is named like its key. */
  keys(): readonly string[]
  close(): Promise<void>
}

export async function hireBuyer(db: Db, apiUrl: string, secretKey: string, purse: number): Promise<Buyer> {
  await listForSale(db, purse)
  const boxes = sandboxes()
  const server: RunningSandboxes = await startSandboxes(boxes, { port: 0 })
  const box = boxes.find((each) => each.crm === crm)
  if (!box) throw new Error(`there is no ${crm}`)
  const { accountId, apiKey } = await createCustomer(db, { plan: 'premium', isEnterprise: true })
  await db.transaction((tx) => grantCredits(tx, accountId, purse, `grant:${accountId}`))
  const given = { accountId, connector: crm, name: 'CRM', settings: server.settings(crm) }
  await addDestination(db, connectors, new Secret(secretKey), given)
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${apiUrl}/api/auth/login`, {
    ...{ method: 'POST', headers: json, body: JSON.stringify({ api_key: apiKey }) },
  })
  const { token } = (await login.json()) as { token: { access_token: string } }
  const headers = { ...json, authorization: `Bearer ${token.access_token}` }

  const acknowledged = new Map<string, string>()
  const delivered = new Map<string, string>()
  const writes: Answer[] = []
  let sent = 0

  async function order(serial: number): Promise<void> {
    const key = `order-${serial}`
    const askedAt = Date.now()
    const items = [{ type: 'gst', name: 'X', number: gstinOf(serial) }]
    const response = await fetch(`${apiUrl}/api/orders/normal`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify({ orderName: key, paymentOption: 'credits', items }),
    })
    const body = (await response.json()) as { _id?: string }
    const retryAfter = response.headers.get('retry-after')
    writes.push({ askedAt, answeredAt: Date.now(), status: response.status, retryAfter })
    if (response.status === 201) acknowledged.set(key, body._id ?? '')
    else if (response.status !== 503) throw new Error(`${key} was answered ${response.status}: ${JSON.stringify(body)}`)
  }
  async function readDeliveries(): Promise<void> {
    const response = await fetch(`${apiUrl}/api/crm/deliveries?limit=50`, { headers })
    if (!response.ok) return
    const { data } = (await response.json()) as {
      data: { delivery_id: string; crm_id: string | null; outcome: string }[]
    }
    for (const { delivery_id: id, crm_id: crmId, outcome } of data)
      if (['created', 'updated', 'unchanged'].includes(outcome) && crmId !== null) delivered.set(id, crmId)
  }
  async function buy(): Promise<void> {
    await order(++sent)
    await readDeliveries()
  }
  return {
    ...{ box, acknowledged, delivered, writes, headers, buy, readDeliveries },
    keys: () => Array.from({ length: sent }, (_, place) => `order-${place + 1}`),
    start() {
      let isStopped = false
      const buying = (async () => {
        while (!isStopped) {
          await buy()
          // The pace of a client, not a wait for anything.
          await delay(50)
        }
      })()
      return {
        async stop() {
          isStopped = true
          await buying
        },
      }
    },
    again: order,
    async repeat() {
      for (let serial = 1; serial <= sent; serial++) if (!acknowledged.has(`order-${serial}`)) await order(serial)
    },
    close: () => server.close(),
  }
}

/** A registration and a way to reach it for each credit. */
async function listForSale(db: Db, count: number): Promise<void> {
  const gstins = Array.from({ length: count }, (_, place) => gstinOf(place + 1))
  await db.execute(
    `INSERT INTO registry.gst_taxpayer (gstin, kind, pan, legal_name, name_key, state_code, first_run_id, last_run_id, as_of)
     SELECT gstin, 'normal', substr(gstin, 3, 10), 'TAXPAYER ' || gstin, 'taxpayer ' || lower(gstin), left(gstin, 2), 1, 1, '2026-06-01'
     FROM unnest($1::text[]) AS t (gstin)`,
    [gstins],
  )
  await db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, email, first_run_id, last_run_id, as_of)
     SELECT 'gst:' || gstin, 'gst', gstin, lower(gstin) || '@example.in', 1, 1, '2026-06-01' FROM unnest($1::text[]) AS t (gstin)`,
    [gstins],
  )
}
