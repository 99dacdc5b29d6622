/** An API whose online payments go to the sandbox payment processor, whose notices reach it. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { z } from 'zod'
import { sampleSeller } from '../../config/seller.ts'
import { createPaymentSandbox, type PaymentSandbox } from '../../sandboxes/razorpay/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { Secret } from '../../src/domain/secret.ts'
import { type RazorpaySettings, razorpay } from '../../src/orders/payments/razorpay.ts'
import { reconcilePayments } from '../../src/orders/payments/reconcile.ts'
import { buildTestServer, type LoggedIn, recordJobs, type TestApi } from './api.ts'
import type { TestDatabase } from './database.ts'

type Answer = Awaited<ReturnType<TestApi['get']>>

export interface PaymentWorld {
  readonly box: PaymentSandbox
  readonly settings: RazorpaySettings
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    customer: Pick<LoggedIn, 'token'>,
    payload?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  reconcile(only?: string): ReturnType<typeof reconcilePayments>
  /** A refund in the processor's own dashboard. */
  refund(paymentId: string, amount?: number): Promise<number>
  violations(): Promise<object[]>
}

export function razorpaySettingsOf(sandboxes: RunningSandboxes): RazorpaySettings {
  const given = z.record(z.string(), z.string()).parse(sandboxes.settings('razorpay'))
  return {
    keyId: given['key_id'] ?? '',
    keySecret: new Secret(given['key_secret'] ?? ''),
    webhookSecrets: [new Secret(given['webhook_secret'] ?? '')],
    creditPaise: 1180,
    seller: sampleSeller,
    baseUrl: given['base_url'] ?? '',
  }
}

export function usePaymentWorld(database: TestDatabase): PaymentWorld {
  const box = createPaymentSandbox()
  const queue = recordJobs()
  let running: RunningSandboxes
  let app: Awaited<ReturnType<typeof buildTestServer>>
  let settings: RazorpaySettings
  beforeAll(async () => {
    running = await startSandboxes([box], { port: 0 })
    settings = razorpaySettingsOf(running)
    app = await buildTestServer(database, queue, [], {
      settings: { leadSource: 'Panji', onlineLabel: 'online', payments: razorpay(settings) },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    box.notifyAt?.(`${app.listeningOrigin}/webhooks/payments`)
  })
  beforeEach(() => box.reset())
  afterAll(async () => {
    await app.close()
    await running.close()
  })
  return {
    box,
    get settings() {
      return settings
    },
    call: (method, url, { token }, payload, headers = {}) =>
      app.inject({
        ...{ method, url, headers: { authorization: `Bearer ${token}`, ...headers } },
        ...(payload ? { payload } : {}),
      }),
    reconcile: (only) =>
      reconcilePayments({ db: database.as('panji_trade'), queue, processor: razorpay(settings) }, only),
    async refund(paymentId, amount) {
      const basic = Buffer.from(`${settings.keyId}:${settings.keySecret.reveal()}`).toString('base64')
      const reply = await fetch(`${settings.baseUrl}/v1/payments/${paymentId}/refund`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: JSON.stringify(amount === undefined ? {} : { amount }),
      })
      return reply.status
    },
    violations: () => database.db.query('SELECT * FROM ledger.violations()'),
  }
}

/** Ages one account by some days: only the clock can do that, so the guards are bypassed here. */
export async function letDaysPass(database: TestDatabase, accountId: string, days: number): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    const earlier = (column: string) => `${column} = ${column} - make_interval(secs => 86400 * $2::float8)`
    const move = (table: string, columns: readonly string[], where: string) =>
      tx.execute(`UPDATE ${table} SET ${columns.map(earlier).join(', ')} WHERE ${where}`, [accountId, days])
    await move('access.account', ['premium_until'], 'account_id = $1')
    await move(
      'access.subscription',
      ['started_at', 'ends_at', 'until_at', 'cancelled_at', 'ended_at'],
      'account_id = $1',
    )
    const own = 'subscription_id IN (SELECT subscription_id FROM access.subscription WHERE account_id = $1)'
    await move('access.subscription_term', ['starts_at', 'ends_at', 'bought_at', 'taken_back_at'], own)
    await move('access.entitlement', ['starts_at', 'expires_at'], 'account_id = $1')
    const lots = 'ledger_account_id IN (SELECT ledger_account_id FROM ledger.account WHERE owner_id = $1)'
    await move('orders.purchase', ['created_at', 'paid_at', 'cancelled_at'], 'account_id = $1')
    await move(
      'orders.item',
      ['reclaimed_at'],
      'order_id IN (SELECT order_id FROM orders.purchase WHERE account_id = $1)',
    )
    await move('ledger.lot', ['ends_at', 'earns_from'], lots)
  })
}
