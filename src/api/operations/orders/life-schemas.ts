/** Quotes, late and bad contacts, and traces. */

import { z } from 'zod'
import { entityTypes } from '../../../domain/identity.ts'
import type { Dispute as DisputeRecord } from '../../../orders/disputes.ts'
import { disputeStates } from '../../../orders/states.ts'
import { exampleIds } from '../../example-records.ts'
import { day, paise, timestamp, uuid } from '../../formats.ts'
import { OrderCause } from './order-schemas.ts'

export const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })

const count = z.number()

export const QuoteAnswer = z
  .object({
    types: z
      .array(
        z
          .object({
            type: z.enum(entityTypes),
            asked: count,
            adds: z
              .array(z.string())
              .readonly()
              .describe('Contact columns that a paid lead has in addition to what details show on your plan'),
            exist: count.describe('Found in their register'),
            inactive: count.describe('Of these, struck off, cancelled, deactivated or disqualified'),
            reachable: count.describe('By e-mail or telephone'),
            by_email: count,
            by_mobile: count,
            already_owned: count.describe('Bought within 30 days: they come without a charge'),
            suppressed: count.describe('No contact is left: excluded by your contact rules, or objected to'),
            credits_needed: count.describe('Credits that stay spent'),
            credits_held: count.describe(
              'Balance needed to place the order; credits for unreachable items are refunded',
            ),
          })
          .meta({ id: 'TypeQuote' }),
      )
      .readonly(),
    credits_needed: count,
    credits_held: count,
    credit_balance: count,
    online_price: z
      .object({
        amount: paise('Price, tax included'),
        net: paise('Price without tax'),
        tax: paise('GST included in the price'),
        currency: z.literal('INR'),
      })
      .nullable()
      .describe(
        'What the order costs when it is paid online: everything that is not yours yet. What cannot be reached is returned as credits. ' +
          'null: online payment is not available',
      ),
    found: count.nullable().describe('For a query: everything that it finds, of which `limit` are counted here'),
  })
  .meta({ id: 'OrderQuote' })

const named = {
  index: count.describe('From 0, as in the request'),
  type: z.enum(entityTypes),
  number: z.string(),
  name: z.string(),
}

export const Reclaimed = z
  .object({
    order_id: uuid('_id of the order'),
    credits: count.describe('Credits spent by this call'),
    items: z.array(z.object(named).meta({ id: 'ReclaimedItem' })).describe('Items charged and delivered now'),
    still_unreachable: count,
  })
  .meta({ id: 'ReclaimedOrder' })

const text = z.string().nullable()

export const disputeShape = {
  dispute_id: uuid('ID of the report'),
  order_id: uuid('_id of the order'),
  index: named.index,
  type: z.string(),
  number: z.string(),
  reason: z.string(),
  status: z.enum(disputeStates),
  opened_at: timestamp(),
  decided_at: timestamp().nullable(),
  note: text.describe("The operator's answer"),
}

export const Dispute = z.object(disputeShape).meta({ id: 'Dispute' })

/** The part that the buyer sees. */
export function disputeOf(dispute: DisputeRecord): z.infer<typeof Dispute> {
  const { dispute_id, order_id, index, type, number, reason, status, opened_at, decided_at, note } = dispute
  return {
    ...{ dispute_id, order_id, index, type, number, reason, status },
    opened_at: opened_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
    note,
  }
}

export const OrderTrace = z.object({
  order_id: uuid('_id of the order'),
  standing_order: OrderCause,
  data: z.array(
    z
      .object({
        ...named,
        snapshot: z
          .object({
            source: z.string(),
            name: z.string().describe('Name of the published file'),
            sha256: text,
            day: day('Day of the snapshot'),
            line: z.number().nullable().describe('Line in the file, where it is known'),
            run_id: z.number(),
          })
          .meta({ id: 'TraceSnapshot' })
          .nullable()
          .describe('null until the lead is built'),
        registry_version: z
          .number()
          .nullable()
          .describe('The run that last changed the record before its lead was built'),
        lead: z
          .object({ sha256: z.string().describe('SHA-256 of the lead row'), built_at: timestamp() })
          .meta({ id: 'TraceLead' })
          .nullable(),
        contacts: z
          .array(
            z
              .object({
                kind: z.enum(['email', 'mobile', 'landline']),
                source: text.describe('Who collected it'),
                file: text.describe('Name of the published file'),
                sha256: text.describe('SHA-256 of the published file'),
                day: day('Day of the published file'),
                do_not_contact: z
                  .boolean()
                  .describe('Whether its owner asked not to be contacted, when the lead was built'),
                preferences: z
                  .array(
                    z
                      .object({ preference: z.string(), list: z.string(), day: day('Day on which it was stated') })
                      .meta({ id: 'TracePreference' }),
                  )
                  .readonly(),
              })
              .meta({ id: 'TraceContact' }),
          )
          .readonly()
          .describe(
            'Where each contact of the lead was found, in the order of its contacts; the values are in the lead',
          ),
        entries: z
          .array(
            z
              .object({
                entry_id: z.number(),
                at: timestamp(),
                kind: z.enum(['spend', 'hold', 'settle', 'release', 'refund']),
                reference: z.string(),
                amount: z.number().describe('Credits of this item'),
              })
              .meta({ id: 'TraceEntry' }),
          )
          .readonly(),
        deliveries: z
          .array(
            z
              .object({
                delivery_id: uuid('ID of the delivery'),
                destination_id: uuid('ID of the destination'),
                outcome: z.string(),
                crm_id: text,
                crm_url: text,
                at: timestamp(),
              })
              .meta({ id: 'TraceDelivery' }),
          )
          .readonly(),
      })
      .meta({ id: 'TracedItem' }),
  ),
})
