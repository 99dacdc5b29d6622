/** Standing orders and their runs in requests and answers. */
import { z } from 'zod'
import { standingTerms } from '../../../../config/plans.ts'
import { FieldMapping, fieldMappingsMax } from '../../../deliver/destinations/field-mapping.ts'
import type { Draft } from '../../../standing/draft.ts'
import { recentDays } from '../../../standing/recent-matches.ts'
import { revisionOfStanding } from '../../../standing/revision.ts'
import { runStates, type StandingRun } from '../../../standing/runs.ts'
import {
  deliveryShown,
  type Mappings,
  type StandingOrder,
  standingSources,
  standingStates,
} from '../../../standing/standing-order.ts'
import { day, revision, timestamp, uuid } from '../../formats.ts'
import type { Shown } from '../../operation.ts'
import { calendarDay, idText, plainText, revisionRead, wording } from '../../parameters.ts'
import { Query, Type } from '../screener/screener-schemas.ts'

const Conditions = z.strictObject({
  has_mobile: z.boolean().default(false).describe('Only records with a mobile number'),
  has_email: z.boolean().default(false).describe('Only records with an e-mail address'),
  active: z.boolean().default(false).describe('Exclude records that are struck off, cancelled or deactivated'),
})

const { budgetMax } = standingTerms
const credits = (most: number, of: string) => z.int().min(1).max(most).describe(`Credits ${of}`)
const Budget = z
  .strictObject({
    day: credits(budgetMax.day, 'per day in India'),
    month: credits(budgetMax.month, 'per month in India'),
    run: credits(budgetMax.run, 'per run'),
  })
  .meta({ id: 'StandingBudget' })

const Delivery = z.strictObject({
  destinations: z
    .array(idText('ID of one of your destinations'))
    .max(20)
    .describe('What is bought is delivered only to these; empty: it stays in your orders'),
  mappings: z
    .array(
      z.strictObject({
        destination_id: idText('One of `destinations`'),
        fields: z.array(FieldMapping).min(1).max(fieldMappingsMax),
      }),
    )
    .max(20)
    .optional()
    .describe("Overrides of the destination's own mapping for what this standing order buys: its owner, a list, tags"),
})

const schedule = z
  .string()
  .regex(/^(import|(monday )?([01][0-9]|2[0-3]):[0-5][0-9])$/, {
    error: 'must be import, a time such as 08:00, or monday with a time',
  })
  .describe('`import`: after each import of the register; `08:00`: daily at that time in India; `monday 08:00`: weekly')

const members = {
  name: plainText(200).trim().min(1).describe('Your name for it'),
  source: z
    .enum(standingSources)
    .describe(
      '`screener`: records that start to match the query; `feed`: new registrations; `watchlist`: changes to what is on a list',
    ),
  type: Type.optional().describe('Register to search; a saved screener or a watchlist implies it'),
  query: Query.nullable().describe('Query in the screener language; null: every record of the feed or watchlist'),
  screener_id: idText('A saved screener')
    .nullable()
    .describe('ID of a saved screener, whose query is copied as it is now'),
  watchlist_id: idText('A watchlist').nullable().describe('For source `watchlist`: ID of the watchlist'),
  conditions: Conditions.describe('What a record must have in addition to matching the query'),
  buys: z.boolean().describe('false: it only notifies, and has no budget'),
  budget: Budget.nullable().describe('Required where it buys'),
  prefer: wording(60).describe(
    'Which records come first where the budget is not enough: `newest`, `oldest`, or a field such as `paidUpCapital desc`',
  ),
  delivery: Delivery.describe('Where purchases are delivered'),
  schedule,
  ends_on: calendarDay.nullable().describe('Its last day'),
}

export const draftExample = {
  name: 'New in Goa',
  type: 'company',
  query: "State == 'Goa'",
  budget: { day: 20, month: 400, run: 20 },
}

export const StandingDraft = z
  .strictObject({
    ...members,
    source: members.source.default('screener'),
    query: members.query.default(null),
    screener_id: members.screener_id.default(null),
    watchlist_id: members.watchlist_id.default(null),
    conditions: members.conditions.default({ has_mobile: false, has_email: false, active: false }),
    buys: members.buys.default(true),
    budget: members.budget.default(null),
    prefer: members.prefer.default('newest'),
    delivery: members.delivery.default({ destinations: [] }),
    schedule: schedule.default('import'),
    ends_on: members.ends_on.default(null),
    state: z.enum(['draft', 'active']).default('draft').describe('`active`: starts at once'),
  })
  .meta({ examples: [draftExample] })

const { source, ...changeable } = members
export const StandingChange = z
  .strictObject({
    ...changeable,
    source,
    revision: revisionRead,
  })
  .partial()
  .meta({ examples: [{ budget: { day: 50, month: 400, run: 50 } }] })

export const StandingAnswer = z
  .object({
    standing_order_id: uuid('ID of the standing order'),
    name: z.string(),
    state: z.enum(standingStates),
    reason: z.string().nullable().describe('Why it is paused, blocked or ended, where known'),
    state_by: z.enum(['you', 'operator', 'system']).describe('Who caused this state'),
    state_at: timestamp(),
    source: z.enum(standingSources),
    type: Type,
    query: z.string().nullable(),
    version: z.number().describe('Version of the query; each change is a new version'),
    screener_id: uuid('The saved screener that the query was copied from').nullable(),
    watchlist_id: uuid('For source `watchlist`').nullable(),
    conditions: z.object({ has_mobile: z.boolean(), has_email: z.boolean(), active: z.boolean() }),
    buys: z.boolean(),
    budget: z.object({ day: z.number(), month: z.number(), run: z.number() }).nullable(),
    spent: z
      .object({ day: z.number(), month: z.number(), total: z.number() })
      .describe('Cost of its orders in credits: today and this month in India, and in total'),
    prefer: z.string(),
    delivery: z.object({
      destinations: z.array(uuid('ID of a destination')),
      mappings: z.array(z.object({ destination_id: uuid('ID of a destination'), fields: z.array(FieldMapping) })),
    }),
    schedule: z.string(),
    ends_on: day('Its last day').nullable(),
    revision,
    created_at: timestamp(),
  })
  .meta({ id: 'StandingOrder' })

export const StandingListed = StandingAnswer.extend({
  matches_by_day: z
    .array(z.number())
    .length(recentDays)
    .describe('Records that its runs found on each of the last 30 days in India, today last'),
}).meta({ id: 'StandingOrderListed' })

export const StandingDetail = StandingAnswer.extend({
  notice: z.string().nullable().describe('Why it finds no new registrations, where no plan of the account covers them'),
}).meta({ id: 'StandingOrderDetail' })

export const standingExample = {
  standing_order_id: '7a5d0c1e-94b2-4f3a-8d6e-2c1b0f9e8d70',
  name: 'New in Goa',
  state: 'draft',
  reason: null,
  state_by: 'you',
  state_at: '2026-11-23T17:06:37.024Z',
  source: 'screener',
  type: 'company',
  query: "State == 'Goa'",
  version: 1,
  screener_id: null,
  watchlist_id: null,
  conditions: { has_mobile: false, has_email: false, active: false },
  buys: true,
  budget: { day: 20, month: 400, run: 20 },
  spent: { day: 0, month: 0, total: 0 },
  prefer: 'newest',
  delivery: { destinations: [], mappings: [] },
  schedule: 'import',
  ends_on: null,
  revision: '9f2b6c0d417ae835',
  created_at: '2026-11-23T17:06:37.024Z',
}

export const listedExample = {
  ...standingExample,
  matches_by_day: [...Array.from({ length: recentDays - 1 }, () => 0), 3],
}

export function presentStanding(order: StandingOrder): Shown<typeof StandingAnswer> {
  const by = order.stateBy.startsWith('account:') ? 'you' : order.stateBy === 'system' ? 'system' : 'operator'
  // Listed one by one, in the order of the schema, so that a stored answer repeats the first byte for byte.
  const { budget, spent } = order
  return {
    ...{ standing_order_id: order.standingOrderId, name: order.name, state: order.state, reason: order.reason },
    ...{ state_by: by, state_at: order.stateAt.toISOString(), source: order.source, type: order.type },
    ...{ query: order.query, version: order.version, screener_id: order.screenerId, watchlist_id: order.watchlistId },
    conditions: { has_mobile: order.hasMobile, has_email: order.hasEmail, active: order.activeOnly },
    buys: order.buys,
    budget: budget && { day: budget.day, month: budget.month, run: budget.run },
    spent: { day: spent.day, month: spent.month, total: spent.total },
    prefer: order.prefer,
    delivery: deliveryShown(order),
    ...{
      schedule: order.schedule,
      ends_on: order.endsOn,
      revision: revisionOfStanding(order),
      created_at: order.createdAt.toISOString(),
    },
  }
}

export function draftOf(body: Omit<z.output<typeof StandingDraft>, 'state'>): Draft {
  const { conditions, delivery, screener_id, watchlist_id, ends_on, type, ...same } = body
  return {
    ...same,
    ...{ type, screenerId: screener_id, watchlistId: watchlist_id, endsOn: ends_on },
    ...{ hasMobile: conditions.has_mobile, hasEmail: conditions.has_email, activeOnly: conditions.active },
    destinations: delivery.destinations,
    mappings: mappingsOf(delivery) ?? {},
  }
}

/** The mappings that were sent; a change without any keeps the stored ones. */
export const mappingsOf = ({ mappings }: z.output<typeof Delivery>): Mappings | undefined =>
  mappings && Object.fromEntries(mappings.map(({ destination_id, fields }) => [destination_id, fields]))

/** Only members that were sent. */
export function changeOf(body: Omit<z.output<typeof StandingChange>, 'revision'>): Partial<Draft> {
  const { conditions, delivery, screener_id, watchlist_id, ends_on, ...same } = body
  const given: Record<string, unknown> = {
    ...same,
    ...{ screenerId: screener_id, watchlistId: watchlist_id, endsOn: ends_on, destinations: delivery?.destinations },
    mappings: delivery && mappingsOf(delivery),
    ...{ hasMobile: conditions?.has_mobile, hasEmail: conditions?.has_email, activeOnly: conditions?.active },
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export const StandingPath = z.object({
  id: uuid('standing_order_id').meta({ examples: [standingExample.standing_order_id] }),
})

export const StandingRecord = z.object({ number: z.string(), name: z.string() }).meta({ id: 'StandingRecord' })

export const StandingRunAnswer = z
  .object({
    run_id: z.number(),
    standing_order_id: uuid('ID of the standing order'),
    version: z.number().describe('Version of the query'),
    import_run_id: z.number().nullable().describe('The import that it came from; null where it combines several'),
    state: z.enum(runStates),
    reason: z.string().nullable().describe('Why it waits, or how it ended'),
    matches: z.number().describe('Records that started to match'),
    usual: z.number().nullable().describe('Matches on a usual day, when the run was created'),
    bought: z.number(),
    owned: z.number().describe('Already owned: neither bought nor delivered again'),
    no_contact: z.number().describe('Without a contact'),
    over_budget: z.number().describe('Left out because the budget was used up'),
    no_longer_matches: z.number().describe('Changed or closed by another import before they were bought'),
    credits: z.number().describe('Cost of its orders'),
    reserved: z.number().describe('Credits of the budget reserved while it buys'),
    orders: z.array(uuid('ID of an order')),
    sample: z.array(StandingRecord).describe('Some of what it found'),
    created_at: timestamp(),
    finished_at: timestamp().nullable(),
    decided_by: z.string().nullable().describe('Who approved or skipped it'),
  })
  .meta({ id: 'StandingRun' })

export const runExample = {
  run_id: 12,
  standing_order_id: standingExample.standing_order_id,
  version: 1,
  import_run_id: 41,
  state: 'finished',
  reason: null,
  matches: 3,
  usual: 2.5,
  bought: 2,
  owned: 1,
  no_contact: 0,
  over_budget: 0,
  no_longer_matches: 0,
  credits: 2,
  reserved: 0,
  orders: ['43e9df79-0afb-4a07-9a93-f645a79cfda4'],
  sample: [{ number: 'U29199GA2004PTC101555', name: 'Naveshmerix Lantern Electronics Private Limited' }],
  created_at: '2026-11-23T17:06:37.024Z',
  finished_at: '2026-11-23T17:06:38.101Z',
  decided_by: null,
}

export const presentRun = (run: StandingRun): Shown<typeof StandingRunAnswer> => ({
  ...run,
  decided_by: run.decided_by?.replace(/^account:.*/, 'you').replace(/^operator.*/, 'operator') ?? null,
})
