/** Plans, pushes, deliveries and receipts in requests and answers. */

import { z } from 'zod'
import { type Delivery, deliveryOutcomes } from '../../../deliver/record/list-deliveries.ts'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { idText, pageOf, paging, wording } from '../../parameters.ts'

export const OrderPath = z.object({ order_id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })

export const PlanBody = z
  .strictObject({ destination_id: idText('ID of the destination') })
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export const PushBody = z
  .strictObject({
    destination_id: idText('ID of the destination'),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the hash of a plan')
      .optional()
      .describe('Hash of a plan: push exactly what it shows, or nothing where the CRM or the data has changed since'),
    adopt: z
      .boolean()
      .optional()
      .describe(
        'With the hash of a plan: true adopts the records of its `adopt` rows as your leads, false creates new records next to them',
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
      .describe('For an update or an adoption: what changes in the CRM'),
    reason: z
      .string()
      .optional()
      .describe(
        'Reason of a conflict or a reject; for a lead created next to similar records, which ones; for an adoption, what matches, with its score',
      ),
    crm_id: z.string().optional().describe('For an adoption: the record that was already in the CRM'),
    crm_url: z
      .string()
      .nullable()
      .optional()
      .describe('Page of the record in the CRM; null before the first contact with the CRM'),
  })
  .meta({ id: 'PlannedRow' })

const CountedMisfit = z
  .object({
    field: z.string().describe('Field of the CRM'),
    column: z
      .string()
      .nullable()
      .describe("Column of the lead; null where the value comes from the destination's own mapping"),
    value: z.string(),
    leads: z.number().describe('Leads that have it'),
  })
  .meta({ id: 'Misfit' })

const CountedJoin = z
  .object({
    field: z.string().describe('Field of the mapping that names it'),
    value: z.string().describe('Name in the CRM'),
    leads: z.number().describe('Leads that would join it'),
  })
  .meta({ id: 'Join' })

export const Plan = z
  .object({
    order_id: uuid('_id of the order'),
    destination_id: idText('ID of the destination'),
    hash: z.string().describe('Identifies the whole plan; see POST …/push'),
    counts: z.object(Object.fromEntries(actions.map((action) => [action, z.number()])) as Record<string, z.ZodNumber>),
    route: z
      .enum(['batches', 'job'])
      .describe('In batches of calls, or as one bulk job of the CRM, depending on the number of leads'),
    calls: z.number().describe('Calls to the CRM, estimated'),
    minutes: z.number().describe("Estimated from what the CRM's limits leave now"),
    misfits: z
      .array(CountedMisfit)
      .describe('Values that are missing from restricted lists of the CRM; up to 100, those of the most leads first'),
    joins: z
      .array(CountedJoin)
      .describe('Lists, campaigns and tags that records would join; up to 100, those of the most leads first'),
    rows: z.array(PlannedRow),
  })
  .meta({ id: 'Plan' })

export const Push = z
  .object({
    push_id: uuid('ID of the push'),
    order_id: uuid('_id of the order'),
    destination_id: uuid('ID of the destination'),
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
    delivery_id: uuid('ID of the delivery'),
    order_id: uuid('_id of the order'),
    destination_id: uuid('ID of the destination'),
    destination_name: z.string().describe('Its current name'),
    record: z.string(),
    name: z.string().describe('Name as ordered'),
    outcome: z.enum(deliveryOutcomes),
    code: z
      .string()
      .nullable()
      .describe(
        "The CRM's own code, where it rejected or deferred the lead or accepted it without some fields; for a waiting delivery, what is holding up its destination",
      ),
    field: z.string().nullable(),
    message: z.string().nullable(),
    crm_id: z
      .string()
      .nullable()
      .describe('ID of the record in the CRM account of the destination; null where that account has not accepted it'),
    crm_url: z.string().nullable().describe('Page of the record in the CRM'),
    created_at: timestamp(),
    at: timestamp('of its last change'),
    next_attempt_at: timestamp(
      'at which the CRM is tried again for a waiting delivery; null where that is at once, or only after somebody acts',
    ).nullable(),
  })
  .meta({ id: 'Delivery' })

export const DeliveryPage = pageOf(DeliveryRow)

const id = (of: string, example: string) =>
  idText(of)
    .meta({ examples: [example] })
    .optional()

export const DeliveryQuery = z.object({
  order_id: id('ID of the order', exampleIds.order),
  destination_id: id('ID of the destination', exampleIds.destination),
  outcome: z.enum(deliveryOutcomes).optional().describe('Only deliveries with this outcome'),
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
    delivery_id: uuid('ID of the delivery'),
    order_id: uuid('_id of the order'),
    item_id: uuid('ID of the item of the order'),
    destination_id: uuid('ID of the destination'),
    type: z.string().describe('Kind of CRM'),
    remote_account: z.string().nullable().describe('Org or portal, as the CRM names it'),
    record: z.string(),
    payload_sha256: z.string().describe('SHA-256 of the lead as it was sent'),
    outcome: z.enum(['created', 'updated', 'unchanged']),
    crm_id: z.string().nullable(),
    acknowledged_at: timestamp(),
    run_id: z.number().nullable().describe('Run that last changed the record'),
    file_sha256: z.string().nullable().describe('SHA-256 of the file that this run ingested'),
    ledger_transfer: z.number().nullable().describe('Transfer of the credit ledger that paid for the item'),
    standing_order_id: uuid('The standing order that bought it; null where a person did').nullable(),
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
    key: ReceiptKey.describe('Public key for the signature'),
  })
  .meta({ id: 'ReceiptFile' })

export const RetryBody = z
  .strictObject({
    order_id: idText('Only deliveries of this order').optional(),
    destination_id: idText('Only deliveries to this destination').optional(),
  })
  .nullish()
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export const Retried = z.object({ retried: z.number().describe('Deliveries that are retried') })

export const deliveryRow = (delivery: Delivery) => ({
  ...delivery,
  created_at: delivery.created_at.toISOString(),
  at: delivery.at.toISOString(),
  next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
})
