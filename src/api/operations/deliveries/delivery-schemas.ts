/** Shapes of plans, pushes, deliveries and receipts in requests and answers. */

import { z } from 'zod'
import { type Delivery, deliveryOutcomes } from '../../../deliver/record/list-deliveries.ts'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { idText, paging, wording } from '../../parameters.ts'

export const OrderPath = z.object({ order_id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })

export const PlanBody = z
  .strictObject({ destination_id: idText('Of the destination') })
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export const PushBody = z
  .strictObject({
    destination_id: idText('Of the destination'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the hash of a plan')
      .optional()
      .describe('Of a plan: push as it says, or not at all where the CRM or the data has moved since'),
    adopt: z
      .boolean()
      .optional()
      .describe(
        'With the hash of a plan: true takes the records of its `adopt` rows for your leads, false makes new ones beside them',
      ),
  })
  .refine(({ hash, adopt }) => adopt === undefined || hash !== undefined, {
    path: ['adopt'],
    message: 'needs the hash of the plan that names the records',
  })
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

const actions = ['create', 'update', 'adopt', 'unchanged', 'conflict', 'reject'] as const

const FieldChange = z.object({ before: z.unknown(), after: z.unknown() }).meta({ id: 'PlannedChange' })

const PlannedRow = z
  .object({
    record: z.string(),
    action: z.enum(actions),
    fields: z
      .record(z.string(), FieldChange)
      .optional()
      .describe('Of an update or an adoption: what changes in the CRM'),
    reason: z
      .string()
      .optional()
      .describe(
        'Of a conflict or a reject; of a lead that is made new beside records that look like it; of an adoption what agrees, with its score',
      ),
    crm_id: z.string().optional().describe('Of an adoption: the record that was in the CRM before'),
    crm_url: z.string().nullable().optional().describe('Its page there; null before the CRM was first spoken to'),
  })
  .meta({ id: 'PlannedRow' })

const CountedMisfit = z
  .object({
    field: z.string().describe('Of the CRM'),
    column: z.string().nullable().describe("Of the lead; null where the destination's own mapping says the value"),
    value: z.string(),
    leads: z.number().describe('That have it'),
  })
  .meta({ id: 'Misfit' })

const CountedJoin = z
  .object({
    field: z.string().describe('Of the mapping, that names it'),
    value: z.string().describe('What the CRM calls it'),
    leads: z.number().describe('That would join it'),
  })
  .meta({ id: 'Join' })

export const Plan = z
  .object({
    order_id: uuid('_id of the order'),
    destination_id: idText('Of the destination'),
    hash: z.string().describe('Stands for the whole plan; see POST …/push'),
    counts: z.object(Object.fromEntries(actions.map((action) => [action, z.number()])) as Record<string, z.ZodNumber>),
    route: z.enum(['batches', 'job']).describe('Call by call, or as one job of the CRM, as many leads go'),
    calls: z.number().describe('To the CRM, about'),
    minutes: z.number().describe('At what the limits of the CRM leave now, about'),
    misfits: z
      .array(CountedMisfit)
      .describe('Values that restricted lists of the CRM lack, up to 100, those of the most leads first'),
    joins: z
      .array(CountedJoin)
      .describe('Lists, campaigns and tags that records would join, up to 100, those of the most leads first'),
    rows: z.array(PlannedRow),
  })
  .meta({ id: 'Plan' })

export const Push = z
  .object({
    push_id: uuid('Of the push'),
    order_id: uuid('_id of the order'),
    destination_id: uuid('Of the destination'),
    status: z.enum(['queued', 'running', 'finished']),
    created: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    rejected: z.number(),
    pending: z.number(),
    unknown: z.number(),
  })
  .meta({ id: 'Push' })

export const DeliveryRow = z
  .object({
    delivery_id: uuid('Of the delivery'),
    order_id: uuid('_id of the order'),
    destination_id: uuid('Of the destination'),
    destination_name: z.string().describe('Its name by now'),
    record: z.string(),
    name: z.string().describe('As it was ordered'),
    outcome: z.enum(deliveryOutcomes),
    code: z
      .string()
      .nullable()
      .describe(
        "The CRM's own word, where it rejected, deferred or took the lead without some fields; of what waits, what holds its destination up",
      ),
    field: z.string().nullable(),
    message: z.string().nullable(),
    crm_id: z
      .string()
      .nullable()
      .describe('Of the record in the account that the destination leads into; null where that one has not taken it'),
    crm_url: z.string().nullable().describe('Page of the record in the CRM'),
    created_at: timestamp(),
    at: timestamp('of its last change'),
    next_attempt_at: timestamp(
      'at which the CRM is asked again for what waits; null where that is at once, or not before somebody acts',
    ).nullable(),
  })
  .meta({ id: 'Delivery' })

export const DeliveryPage = z.object({
  data: z.array(DeliveryRow),
  total: z.number(),
  page: z.number(),
  limit: z.number(),
})

const id = (of: string, example: string) =>
  idText(of)
    .meta({ examples: [example] })
    .optional()

export const DeliveryQuery = z.object({
  order_id: id('Of this order', exampleIds.order),
  destination_id: id('Into this destination', exampleIds.destination),
  outcome: z.enum(deliveryOutcomes).optional().describe('With this outcome'),
  record: wording(60)
    .optional()
    .meta({
      description: 'gst:GSTIN, company:CIN, director:DIN, or the identifier alone',
      examples: [exampleRecords.gstin],
    }),
  ...paging(100),
})

export const DeliveryPath = z.object({
  delivery_id: uuid('delivery_id').meta({ examples: [exampleIds.delivery] }),
})

const Receipt = z
  .object({
    delivery_id: uuid('Of the delivery'),
    order_id: uuid('_id of the order'),
    item_id: uuid('Of the item of the order'),
    destination_id: uuid('Of the destination'),
    type: z.string().describe('Kind of CRM'),
    remote_account: z.string().nullable().describe('Org or portal, as the CRM says'),
    record: z.string(),
    payload_sha256: z.string().describe('Of the lead as it was sent'),
    outcome: z.enum(['created', 'updated', 'unchanged']),
    crm_id: z.string().nullable(),
    acknowledged_at: timestamp(),
    run_id: z.number().nullable().describe('Run that last changed the record'),
    file_sha256: z.string().nullable().describe('Of the file that this run took in'),
    ledger_transfer: z.number().nullable().describe('Transfer of the credit ledger that paid for the item'),
    standing_order_id: uuid('The standing order that bought it; null where somebody did').nullable(),
    standing_run_id: z.number().nullable().describe('Its run'),
  })
  .meta({ id: 'Receipt' })

const ReceiptKey = z
  .object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
  .meta({ id: 'ReceiptKey' })

export const ReceiptFile = z
  .object({
    receipt: Receipt,
    jws: z.string().describe('The receipt as a JSON Web Signature, EdDSA over Ed25519'),
    key: ReceiptKey.describe('Public half of the key that signed'),
  })
  .meta({ id: 'ReceiptFile' })

export const RetryBody = z
  .strictObject({
    order_id: idText('Only those of this order').optional(),
    destination_id: idText('Only those into this destination').optional(),
  })
  .nullish()
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export const Retried = z.object({ retried: z.number().describe('Deliveries that are tried again') })

export const deliveryRow = (delivery: Delivery) => ({
  ...delivery,
  created_at: delivery.created_at.toISOString(),
  at: delivery.at.toISOString(),
  next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
})
