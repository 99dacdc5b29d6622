/** Destinations in requests and answers: what a CRM needs, what is connected, and whether it works. */

import { z } from 'zod'
import { destinationExample } from '../../../../config/delivery-example.ts'
import { batchSizeMax } from '../../../deliver/destinations/batch-size.ts'
import { deliverPattern } from '../../../deliver/destinations/deliver-when.ts'
import { hoursPattern } from '../../../deliver/destinations/delivery-hours.ts'
import type { DeliveryTerms } from '../../../deliver/destinations/delivery-terms.ts'
import { keeps } from '../../../deliver/destinations/keep.ts'
import { pauseShareMin } from '../../../deliver/destinations/pause-at-rejected.ts'
import { thresholdMax } from '../../../deliver/destinations/thresholds.ts'
import { customerShareMax } from '../../../deliver/lease/customer-share.ts'
import { exampleIds } from '../../example-records.ts'
import { revision, timestamp, uuid } from '../../formats.ts'
import { plainText, revisionRead } from '../../parameters.ts'

const settingsBytesMax = 32_768

/**
 * Settings may hold anything, so their schema sets no limit; a private key with a list of fields is far below this one.
 */
export const settingsBodyBytesMax = 2 * settingsBytesMax

export const destinationSettings = z
  .record(z.string().max(100), z.unknown())
  .refine(
    (settings) => Buffer.byteLength(JSON.stringify(settings)) <= settingsBytesMax,
    `must be at most ${settingsBytesMax} bytes as JSON`,
  )
  .describe('What the connector of that type needs; secrets are stored encrypted and never returned')

const customerShare = z
  .number()
  .min(0)
  .max(customerShareMax)
  .describe("Share of the CRM account's daily calls that deliveries leave to your other programs")

const batchSize = z
  .int()
  .min(1)
  .max(batchSizeMax)
  .nullable()
  .describe('Maximum leads per write, for a CRM whose own code cannot take more; null: what the CRM accepts')

const hours = z
  .string()
  .max(11)
  .regex(hoursPattern, 'must be a span like 20:00-06:00')
  .nullable()
  .describe('Hours of the day in India in which leads are sent; null: any time')

const pauseAtRejected = z
  .number()
  .min(pauseShareMin)
  .max(1)
  .nullable()
  .describe(
    'Share of rejected leads, among a hundred or more, at which the destination is paused and you are notified; null: never',
  )

const keep = z
  .enum(keeps)
  .describe(
    '`fresh`: changes that imports bring to delivered records are sent, free of credits; `delivered`: records stay as bought',
  )

const threshold = z.int().min(1).max(thresholdMax).nullable()
const adoptFrom = threshold.describe(
  'Match score, 1 to 100, from which an existing record of the CRM is adopted for a new lead without a plan; null, as in a new destination: none is adopted',
)
const askFrom = threshold.describe(
  'Match score from which a new lead that resembles an existing record waits for your decision, 50 in a new destination; null: a new record is created',
)

const deliver = z
  .string()
  .max(10)
  .regex(deliverPattern, 'must be automatic, approved, manual or a time of day like 07:30')
  .describe(
    'When paid orders are delivered: `automatic` at once, `approved` by the hash of a plan, `manual` on request, `HH:MM` at that time in India',
  )

export const destinationName = plainText(100).describe('Your name for it, 1 to 100 characters')

/** The members of a body that say when and how leads are sent. */
export const saidTerms = {
  deliver: deliver.optional(),
  customer_share: customerShare.optional(),
  batch_size: batchSize.optional(),
  hours: hours.optional(),
  pause_at_rejected: pauseAtRejected.optional(),
  keep: keep.optional(),
  adopt_from: adoptFrom.optional(),
  ask_from: askFrom.optional(),
}
const SaidTerms = z.object(saidTerms)

export const termsIn = ({
  deliver: when,
  customer_share: share,
  batch_size: size,
  hours: between,
  pause_at_rejected: pauseShare,
  keep: kept,
  adopt_from: adopts,
  ask_from: asks,
}: z.output<typeof SaidTerms>): DeliveryTerms => ({
  deliver: when,
  customerShare: share,
  batchSize: size,
  hours: between,
  pauseAtRejected: pauseShare,
  keep: kept,
  adoptFrom: adopts,
  askFrom: asks,
})

export const Destination = z
  .object({
    destination_id: uuid('ID of the destination'),
    user_id: uuid('ID of the account'),
    type: z.string(),
    name: z.string(),
    status: z.enum(['active', 'paused', 'broken']).describe('A broken one is retried automatically'),
    status_reason: z.string().nullable(),
    deliver,
    customer_share: customerShare,
    batch_size: batchSize,
    learned_batch_size: z
      .int()
      .nullable()
      .describe('Leads per write that the CRM was found to accept after it refused more; a test clears it'),
    hours,
    pause_at_rejected: pauseAtRejected,
    keep,
    adopt_from: adoptFrom,
    ask_from: askFrom,
    remote_account: z.string().nullable().describe('Org or portal, as the CRM names it; null before the first contact'),
    notice: z
      .string()
      .nullable()
      .describe('Name of other destinations of the account for the same org or portal; null where there are none'),
    failure: z
      .object({ code: z.string(), message: z.string(), at: timestamp() })
      .nullable()
      .describe('Error of the last contact with the CRM; null after a success'),
    retry_at: timestamp('before which the CRM is not called').nullable(),
    settings: z.record(z.string(), z.unknown()).describe('Secrets are shown as [hidden]'),
    revision,
    created_at: timestamp(),
    set_up_at: timestamp().nullable(),
  })
  .meta({ id: 'Destination' })

export const Destinations = z.object({ data: z.array(Destination) })

const SettingField = z
  .object({
    name: z.string().describe('Member of settings'),
    label: z.string(),
    hint: z.string().describe('Where to find it'),
    kind: z
      .enum(['text', 'secret', 'lines', 'choice', 'number', 'rules'])
      .describe('lines: multi-line text; rules: objects of a CRM field and a column of the lead'),
    choices: z
      .array(z.object({ value: z.string(), label: z.string() }))
      .nullable()
      .describe('For a choice: the allowed values; null for other kinds'),
    required: z.boolean(),
    initial: z.string().nullable().describe('Initial value in a form'),
  })
  .meta({ id: 'SettingField' })

const SignInWay = z
  .object({
    name: z.string(),
    label: z.string(),
    fixed: z.record(z.string(), z.string()).describe('Members of settings that this way sets'),
    fields: z.array(SettingField),
  })
  .meta({ id: 'SignInWay' })

export const DestinationKinds = z.object({
  data: z.array(
    z
      .object({
        type: z.string().describe('For POST /api/crm/destinations'),
        label: z.string().describe("The vendor's spelling"),
        sign_ins: z.array(SignInWay),
        options: z.array(SettingField).describe('Members of settings beyond signing in'),
        own_page: z
          .object({
            has_app: z
              .boolean()
              .describe('Where false, settings name an app of your own with client_id and client_secret'),
            fields: z.array(SettingField),
          })
          .meta({ id: 'OwnPage' })
          .nullable()
          .describe('For POST …/connect; null where it has no sign-in page, or none that leads back'),
      })
      .meta({ id: 'DestinationKind' }),
  ),
})

export const NewDestinationBody = z
  .strictObject({
    type: plainText(40).describe('Kind of CRM: a name of docs/connectors.md'),
    name: destinationName,
    settings: destinationSettings,
    ...saidTerms,
  })
  .meta({ examples: [destinationExample] })

export const DestinationChangeBody = z
  .strictObject({
    name: destinationName.optional(),
    settings: destinationSettings.optional().describe('New credentials or mapping; replaces all earlier settings'),
    options: destinationSettings
      .optional()
      .describe(
        'Members of settings that GET /api/crm/kinds lists as options; all other settings are kept, and null restores the default. Not together with settings',
      ),
    ...saidTerms,
    revision: revisionRead,
  })
  .refine(
    ({ settings, options }) => settings === undefined || options === undefined,
    'take settings or options, not both',
  )
  .meta({ examples: [{ deliver: '07:30' }] })

export const DestinationPath = z.object({
  destination_id: uuid('destination_id').meta({ examples: [exampleIds.destination] }),
})

const DestinationCheck = z
  .object({ name: z.string(), ok: z.boolean(), detail: z.string() })
  .meta({ id: 'DestinationCheck' })

export const DestinationTest = z
  .object({
    ok: z.boolean().describe('false where a person must do something in the CRM first'),
    checks: z.array(DestinationCheck),
  })
  .meta({ id: 'DestinationTest' })
