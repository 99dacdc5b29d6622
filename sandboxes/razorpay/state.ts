/** The state of the payment sandbox: credentials, orders, payments, refunds and sent notices. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

const Credentials = z.object({ keyId: z.string(), keySecret: z.string(), webhookSecret: z.string() })
const Order = z.object({
  id: z.string(),
  entity: z.literal('order'),
  amount: z.int(),
  amount_paid: z.int(),
  amount_due: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.enum(['created', 'attempted', 'paid']),
  attempts: z.int(),
  notes: z.record(z.string(), z.string()),
  created_at: z.int(),
})
const Payment = z.object({
  id: z.string(),
  entity: z.literal('payment'),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['captured', 'failed', 'refunded']),
  order_id: z.string(),
  method: z.string(),
  captured: z.boolean(),
  amount_refunded: z.int(),
  refund_status: z.enum(['partial', 'full']).nullable(),
  fee: z.int(),
  tax: z.int(),
  error_code: z.string().nullable(),
  created_at: z.int(),
})
const Refund = z.object({
  id: z.string(),
  entity: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  payment_id: z.string(),
  receipt: z.string().nullable(),
  status: z.enum(['pending', 'processed']),
  created_at: z.int(),
})
export const SandboxState = z.object({
  credentials: Credentials,
  orders: z.array(Order),
  payments: z.array(Payment),
  refunds: z.array(Refund),
  /** Refunds by idempotency key. */
  refundKeys: z
    .record(z.string(), z.object({ paymentId: z.string(), asked: z.string(), refundId: z.string() }))
    .default({}),
})
export type SandboxState = z.infer<typeof SandboxState>
export type SandboxOrder = z.infer<typeof Order>
export type SandboxPayment = z.infer<typeof Payment>

export function emptyState(credentials: SandboxState['credentials']): SandboxState {
  return { credentials, orders: [], payments: [], refunds: [], refundKeys: {} }
}

export function newCredentials(): SandboxState['credentials'] {
  return { keyId: newId('rzp_test'), keySecret: secret(), webhookSecret: secret() }
}

const secret = () => randomBytes(24).toString('base64url')

/** The kind followed by fourteen letters and digits, like the processor's own ids. */
export function newId(kind: string): string {
  return `${kind}_${randomBytes(24)
    .toString('base64')
    .replace(/[^a-zA-Z0-9]/g, '')
    .padEnd(14, '0')
    .slice(0, 14)}`
}

/** Unix time in seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1000)
