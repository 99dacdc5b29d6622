/** Orders and leads as the API represents them, and the one mapping from an order to its answer. */

import { z } from 'zod'
import { leadColumns } from '../../../../config/lead-columns.ts'
import { type EntityType, entityTypes } from '../../../domain/identity.ts'
import type { Checkout } from '../../../orders/checkouts.ts'
import { type Order, orderSorts } from '../../../orders/order.ts'
import { orderItemsMax } from '../../../orders/order-items.ts'
import type { PaymentOrder } from '../../../orders/payments/processor.ts'
import { disputeStates, type OrderState, orderStates, paymentStates } from '../../../orders/states.ts'
import { billing } from '../../billing-schema.ts'
import { exampleRecords } from '../../example-records.ts'
import { day, timestamp, uuid } from '../../formats.ts'
import { growing, pageOf, recordNameMax, sorting } from '../../parameters.ts'

/** PostgreSQL cannot store a NUL character in a text. */
const text = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .refine((value) => !value.includes('\0'), 'must not contain the character NUL')

const itemType = z.enum(entityTypes, {
  error: (issue) =>
    issue.input === 'fullcompany'
      ? 'fullcompany is not supported: order the company, its directors and its GST registrations individually'
      : undefined,
})

/** Shared by quotes and orders. */
export const excludeInactive = z
  .boolean()
  .optional()
  .describe('Leave out records that are struck off, cancelled, deactivated or disqualified; false by default')

export const OrderBody = z
  .strictObject({
    orderName: text(200).describe('Your name for the order'),
    paymentOption: text(60).describe('`credits`, or the label of online payment where a processor is configured'),
    items: z
      .array(
        z.strictObject({
          type: itemType.describe('What is ordered'),
          name: text(recordNameMax).describe('Name of the entity, as you know it'),
          number: text(40).describe('CIN or LLPIN, DIN, or GSTIN'),
        }),
      )
      .min(1)
      .max(orderItemsMax)
      .describe('One credit each; each record once'),
    exclude_inactive: excludeInactive,
    billing,
  })
  .meta({
    examples: [
      {
        orderName: 'Pilot',
        paymentOption: 'credits',
        items: [{ type: 'gst', name: exampleRecords.tradeName, number: exampleRecords.gstin }],
      },
    ],
  })

export const Payment = z
  .object({
    provider: z.string(),
    id: z.string().describe("ID of the processor's order, for its checkout"),
    amount: z.number().describe('Paise'),
    currency: z.literal('INR'),
    key_id: z.string().describe("The seller's public key, for the checkout"),
    page_url: z
      .string()
      .nullable()
      .describe(
        "The processor's own payment page; null where your page opens its checkout, and once the order is no longer `pending`",
      ),
  })
  .meta({ id: 'OrderPayment' })

export const CreatedOrder = z
  .object({
    _id: uuid('ID of the order'),
    orderName: z.string(),
    paymentOption: z.enum(['credits', 'online']),
    total_amount: z.number().describe('Credits before refunds'),
    status: z.enum(orderStates),
    payment_status: z.enum(paymentStates),
    items_count: z.number(),
    created_at: timestamp(),
    payment: Payment.optional().describe('Set for an online payment'),
  })
  .meta({ id: 'CreatedOrder' })

export const PlacedOrder = CreatedOrder.extend({
  excluded: z
    .array(z.number())
    .optional()
    .describe('With `exclude_inactive`: indexes in the request of the items that were left out'),
}).meta({ id: 'PlacedOrder' })

export const OrderSummary = CreatedOrder.extend({
  refunded_amount: z.number().describe('Credits refunded so far, for whatever reason'),
  paid_at: timestamp().nullable(),
  cancelled_at: timestamp().nullable(),
}).meta({ id: 'OrderSummary' })

export const OrderPage = pageOf(OrderSummary)

export const OrderCause = z
  .object({
    standing_order_id: uuid('ID of the standing order'),
    name: z.string(),
    run_id: z.number().describe('ID of its run'),
    import_run_id: z.number().nullable().describe('The import that triggered it; null where a run combines several'),
    version: z.number().describe('Version of its query'),
    query: z.string().nullable(),
    budget: z.object({ day: z.number(), month: z.number(), run: z.number() }).nullable().describe('Name at the time'),
  })
  .meta({ id: 'OrderCause' })
  .nullable()
  .describe('The standing order that placed it; null where a person did')

export const OrderDetails = OrderSummary.extend({
  standing_order: OrderCause,
  reachable: z.number().describe('Items with a contact'),
  items: z.array(
    z
      .object({
        type: z.enum(entityTypes),
        name: z.string(),
        number: z.string(),
        has_contact: z
          .boolean()
          .nullable()
          .describe('Whether the record has a contact: checked when the order was placed, and again when it was paid'),
        refunded: z.boolean().describe('Whether the credit was refunded'),
        already_owned: z.boolean().describe('Bought within the 30 days before: delivered without a charge'),
        refund_reason: z
          .enum(['no_contact', 'dispute', 'operator', 'refused', 'owned', 'money_back'])
          .nullable()
          .describe('Why the credit was refunded; `owned`: bought by another order before this one was paid'),
        withdrawn: z.boolean().describe('No longer delivered: its charge, or the money for the order, was reversed'),
        dispute: z.enum(disputeStates).nullable().describe('Outcome of your report of it'),
        may_be_reported: z.boolean().describe('Charged within the last 30 days, and not yet reported'),
      })
      .meta({ id: 'OrderItem' }),
  ),
}).meta({ id: 'Order' })

export const OrderQuery = z.object({
  status: z.enum(orderStates).optional().describe('Only orders in this state'),
  search: text(200)
    .optional()
    .meta({ description: 'Part of the name of the order or of an item, or a whole identifier', examples: ['Pilot'] }),
  page: z.coerce.number().int().min(1).max(100_000).default(1).describe('Page number, from 1'),
  limit: z.coerce.number().int().min(1).max(100).default(10).describe('Orders per page'),
  ...sorting(orderSorts),
  ...growing,
})

const record = z.record(z.string(), z.unknown())

export const OrderExport = z.object({
  order_id: uuid('_id of the order'),
  data: z.array(z.looseObject({ directors: z.array(record), gst: z.array(record) }).meta({ id: 'ExportedRecord' })),
})

const date = day('YYYY-MM-DD').nullable()

const cell = z.union([z.string(), z.number()]).nullable()

/** Each entity type has columns that the others lack, and always all of its own, so a row has exactly one type. */
const rowOf = (type: EntityType, id: string) =>
  z
    .strictObject(Object.fromEntries(leadColumns[type].map(({ name, kind }) => [name, kind === 'date' ? date : cell])))
    .meta({ id, description: `A flat row of a ${type}: scalars only` })

const GstLead = rowOf('gst', 'LeadGst')

export const FlatLead = z.xor([GstLead, rowOf('company', 'LeadCompany'), rowOf('director', 'LeadDirector')])

export const NestedLead = z
  .object({
    type: z.enum(entityTypes),
    identifier: z.string(),
    name: z.string(),
    lead: z.record(z.string(), cell),
    full_data: z
      .object({ company: record.nullable(), directors: z.array(record), gst: z.array(record) })
      .describe(
        "The lead's own record also has `person` (the person it names, or null), `contacts` (each contact, the best of each " +
          'kind first: kind, value, source, file, sha256, day, do_not_contact, preferences) and `website`',
      ),
  })
  .meta({ id: 'LeadNested' })

export const OrderLeads = z.object({
  order_id: uuid('_id of the order'),
  order_name: z.string(),
  payment_status: z.enum(paymentStates),
  status: z.enum(orderStates),
  leads: z
    .union([z.array(FlatLead), z.array(NestedLead)])
    .describe('Rows with `format=flat`; objects with `format=nested`, which alone have `full_data`'),
  total: z.number(),
})

export const CrmOrders = pageOf(
  z
    .object({
      order_id: uuid('_id of the order'),
      order_name: z.string(),
      payment_status: z.enum(paymentStates),
      status: z.enum(orderStates),
      total: z.number().describe('Number of leads: items except refunded and withdrawn ones'),
      created_at: timestamp(),
    })
    .meta({ id: 'CrmOrder' }),
)

export const NewLeadBody = z
  .strictObject({
    entity_type: z
      .literal('gst', {
        error: 'must be gst: order companies and directors at POST /api/orders/normal',
      })
      .describe('Only GST registrations'),
    identifier: text(40).describe('GSTIN'),
  })
  .meta({ examples: [{ entity_type: 'gst', identifier: exampleRecords.gstin }] })

export const NewLead = z
  .object({
    order_id: uuid('_id of the order'),
    status: z.enum(orderStates),
    payment_status: z.enum(paymentStates),
    lead: z
      .union([GstLead, NestedLead])
      .nullable()
      .describe('In the requested shape; null where there is no contact and the credit was refunded'),
    destinations: z.array(uuid('ID of a destination')).describe('CRMs that it is being delivered to'),
  })
  .meta({ id: 'NewLead' })

export function createdOrder(order: Order): z.infer<typeof CreatedOrder> {
  return {
    _id: order.orderId,
    orderName: order.orderName,
    paymentOption: order.paymentOption,
    total_amount: order.totalAmount,
    status: order.status,
    payment_status: order.paymentStatus,
    items_count: order.itemsCount,
    created_at: order.createdAt.toISOString(),
    ...(order.payment ? { payment: paymentOf(order.payment, order.status) } : {}),
  }
}

/**
 * Built member by member: the database stores them in its own order, and a stored answer is compared byte by byte.
 * @param status of the order or purchase; a settled one offers no payment.
 */
export function paymentOf(
  { provider, id, amount, currency, key_id, page_url }: PaymentOrder,
  status: OrderState | Checkout['status'],
) {
  const isPayable = status === 'pending'
  return { provider, id, amount, currency, key_id, page_url: isPayable ? (page_url ?? null) : null }
}

export function orderSummary(order: Order): z.infer<typeof OrderSummary> {
  return {
    ...createdOrder(order),
    refunded_amount: order.refundedAmount,
    paid_at: order.paidAt?.toISOString() ?? null,
    cancelled_at: order.cancelledAt?.toISOString() ?? null,
  }
}
