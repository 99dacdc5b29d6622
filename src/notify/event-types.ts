/**
 * Every type of event that an account can be notified of, by webhooks and by e-mail; docs and answers are generated
 * from this list.
 */
import { z } from 'zod'
import { event } from './event.ts'

const id = (of: string) => z.uuid().describe(`ID of the ${of}`)
const aDestination = '6d8d5c0e-5b7c-4f0a-9d0e-6d1c7a3f2b11'
const anOrder = 'a3c1f0de-7d53-4c6e-8f55-0b7d9a1e4c20'

const aStandingOrder = { standing_order_id: '7a5d0c1e-94b2-4f3a-8d6e-2c1b0f9e8d70', name: 'New in Goa' }
const standing = { standing_order_id: id('standing order'), name: z.string() }

const reject = z.object({
  record: z.string().describe('The record in your orders and in the CRM'),
  code: z.string().describe("The CRM's code"),
  field: z.string().nullable().describe('Field named by the CRM'),
  message: z.string(),
})

export const events = {
  'order.paid': event({
    when: 'the payment of an order arrived',
    data: z.object({ order_id: id('order'), credits: z.int().describe('Credits bought with the payment') }),
    example: { order_id: anOrder, credits: 25 },
    mailWaitsSeconds: 0,
    isAboutMoney: true,
  }),
  'purchase.paid': event({
    when: 'the payment of a purchase arrived: of credits, a plan or an offer',
    data: z.object({
      purchase_id: id('purchase'),
      kind: z.enum(['credits', 'plan', 'offer']),
      product: z.string().describe('ID of the pack, plan or offer'),
      credits: z.int().describe('Credits that it brought'),
      amount: z.int().describe('Paise, tax included'),
      invoice: z.string().describe('Its number'),
    }),
    example: {
      ...{ purchase_id: 'ef806d7b-7d76-4cb0-b0f3-03bafb0a10fd', kind: 'credits', product: 'credits-100', credits: 100 },
      ...{ amount: 118_000, invoice: 'PI-2627-0000042' },
    },
    mailWaitsSeconds: 0,
    isAboutMoney: true,
  }),
  'payment.refunded': event({
    when: 'money of a payment was returned, by a refund or by a chargeback of your bank',
    data: z.object({
      payment_id: z.string().describe('ID at the payment processor'),
      order_id: id('order').nullable(),
      purchase_id: id('purchase').nullable().describe('Of credits, a plan or an offer'),
      amount: z.int().describe('Paise, tax included'),
      cause: z.enum(['refund', 'chargeback']),
      credit_note: z.string().nullable().describe('Its number; null where nothing was invoiced'),
      owed: z.int().describe('Paise that your account owes now, for what was used and charged back'),
    }),
    example: {
      ...{ payment_id: 'pay_QK7dMxXz1b2c3d', order_id: anOrder, purchase_id: null, amount: 118_000 },
      ...{ cause: 'refund', credit_note: 'PC-2627-0000007', owed: 0 },
    },
    mailWaitsSeconds: 0,
    isAboutMoney: true,
  }),
  'order.delivered': event({
    when: 'every lead of an order has a response from a CRM',
    data: z.object({
      ...{ destination_id: id('destination'), order_id: id('order'), push_id: id('push') },
      ...{ created: z.int(), updated: z.int(), unchanged: z.int(), rejected: z.int() },
    }),
    example: {
      ...{ destination_id: aDestination, order_id: anOrder, push_id: 'f2f4a1b0-1d5e-4a86-a7c4-3a5c6e0d9b32' },
      ...{ created: 23, updated: 1, unchanged: 0, rejected: 1 },
    },
    mailWaitsSeconds: 0,
  }),
  'delivery.rejected': event({
    when: 'a CRM rejected rows',
    data: z.object({ destination_id: id('destination'), rejects: z.array(reject) }),
    example: {
      destination_id: aDestination,
      rejects: [
        { record: 'gst:30AAACP1234Q1Z5', code: 'INVALID_EMAIL_ADDRESS', field: 'Email', message: 'Not an address' },
      ],
    },
    mailWaitsSeconds: 300,
  }),
  'delivery.needs_decision': event({
    when: 'leads wait for you to decide whether an existing record of the CRM is adopted',
    data: z.object({
      destination_id: id('destination'),
      matches: z.array(
        z.object({
          record: z.string().describe('The record in your orders and in the CRM'),
          message: z.string().describe('Which record is similar, in which columns, and what decides'),
        }),
      ),
    }),
    example: {
      destination_id: aDestination,
      matches: [
        {
          record: 'company:U62099GA2026PTC000123',
          message:
            'The record 00Q000000000123 agrees in Company (45), Zip_Code (20): 65 of 100. A plan of its order says what it would ' +
            'change there; push it by its hash, with adopt true to take the record or false for a new one',
        },
      ],
    },
    mailWaitsSeconds: 300,
  }),
  'delivery.paused': event({
    when: 'deliveries into a CRM were paused',
    data: z.object({
      destination_id: id('destination'),
      reason: z.string().optional().describe('The reason, unless somebody paused it'),
    }),
    example: { destination_id: aDestination, reason: '12 of 120 leads were rejected' },
    mailWaitsSeconds: 120,
  }),
  'delivery.resumed': event({
    when: 'paused deliveries into a CRM were resumed',
    data: z.object({ destination_id: id('destination') }),
    example: { destination_id: aDestination },
    mailWaitsSeconds: 0,
    ends: 'delivery.paused',
  }),
  'delivery.refreshed': event({
    when: 'a day is over in which imports changed delivered records of a destination that is kept fresh',
    data: z.object({
      day: z.iso.date(),
      destinations: z.array(
        z.object({
          destination_id: id('destination'),
          name: z.string(),
          updated: z.int().describe('Records that are up to date in the CRM'),
          rejected: z.int(),
          waiting: z.int().describe('Records that are still to be sent'),
        }),
      ),
    }),
    example: {
      day: '2026-11-23',
      destinations: [{ destination_id: aDestination, name: 'Our org', updated: 12, rejected: 0, waiting: 1 }],
    },
    mailWaitsSeconds: 0,
  }),
  'destination.broken': event({
    when: 'deliveries into a CRM fail',
    data: z.object({
      destination_id: id('destination'),
      reason: z.object({ code: z.string(), message: z.string() }),
    }),
    example: {
      destination_id: aDestination,
      reason: { code: 'CRM_AUTH', message: 'The CRM refuses the credentials.' },
    },
    mailWaitsSeconds: 120,
  }),
  'destination.recovered': event({
    when: 'a CRM that failed accepts leads again',
    data: z.object({ destination_id: id('destination') }),
    example: { destination_id: aDestination },
    mailWaitsSeconds: 0,
    ends: 'destination.broken',
  }),
  'credits.low': event({
    when: 'your credits run low',
    data: z.object({
      balance: z.int().describe('Credits left'),
      below: z.int().describe('The threshold that they fell below'),
    }),
    example: { balance: 18, below: 20 },
    mailWaitsSeconds: 0,
  }),
  'credits.expiring': event({
    when: 'credits that you bought or were granted expire within a week',
    data: z.object({
      credits: z.int().describe('Credits that are left of them'),
      last_day: z.iso.date().describe('Last day on which they can be spent, in India'),
    }),
    example: { credits: 40, last_day: '2026-12-07' },
    mailWaitsSeconds: 0,
    isAboutMoney: true,
  }),
  'subscription.ending': event({
    when: 'the last term of a plan or offer ends within a day and no other follows, or it ended without earlier notice',
    data: z.object({
      subscription_id: id('subscription'),
      name: z.string(),
      ends_at: z.iso.datetime(),
      open_until: z.iso.datetime().describe('Including its grace period'),
      reason: z
        .enum(['not_asked', 'credits_short', 'not_on_sale', 'missed'])
        .describe(
          'Renewal was not requested, there are too few credits for it, it is no longer sold, or it ended without being renewed in time',
        ),
    }),
    example: {
      ...{ subscription_id: '2f0b7c6d-6a1e-4c1f-9a55-8e3d4b7a9c10', name: 'Premium, monthly' },
      ...{ ends_at: '2026-12-01T06:30:00.000Z', open_until: '2026-12-04T06:30:00.000Z', reason: 'credits_short' },
    },
    mailWaitsSeconds: 0,
    isAboutMoney: true,
  }),
  'standing_order.run_finished': event({
    when: 'a run of a standing order has bought what it found',
    data: z.object({
      ...standing,
      ...{ run_id: z.int(), matches: z.int(), bought: z.int(), credits: z.int(), over_budget: z.int() },
    }),
    example: { ...aStandingOrder, run_id: 12, matches: 9, bought: 7, credits: 7, over_budget: 1 },
    mailWaitsSeconds: 0,
  }),
  'standing_order.needs_approval': event({
    when: 'a run of a standing order waits for your approval',
    data: z.object({
      ...standing,
      run_id: z.int(),
      matches: z.int(),
      usual: z.number().nullable().describe('Matches on a usual day'),
      reason: z.enum(['first_run', 'unusual']),
    }),
    example: { ...aStandingOrder, run_id: 13, matches: 240, usual: 8.5, reason: 'unusual' },
    mailWaitsSeconds: 0,
  }),
  'standing_order.blocked': event({
    when: 'a standing order has stopped buying for now',
    data: z.object({
      ...standing,
      reason: z.enum(['budget_used', 'credits_short', 'destination_broken', 'query_invalid', 'limit_reached']),
    }),
    example: { ...aStandingOrder, reason: 'credits_short' },
    mailWaitsSeconds: 0,
  }),
  'standing_order.digest': event({
    when: 'a day of your standing orders is over',
    data: z.object({
      day: z.iso.date(),
      matches: z.int(),
      bought: z.int(),
      delivered: z.int(),
      rejected: z.int(),
      credits: z.int(),
      balance: z.int().describe('Credits left'),
    }),
    example: { day: '2026-11-23', matches: 9, bought: 7, delivered: 6, rejected: 1, credits: 7, balance: 412 },
    mailWaitsSeconds: 0,
  }),
} as const

export type EventType = keyof typeof events
export type EventData<T extends EventType> = z.output<(typeof events)[T]['data']>
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]
