/**
 * The feeds of recently registered records. What may be read comes from `effectiveScope`, as in the access
 * statement; asked-for places outside it are refused, dates outside it are clamped.
 */
import { z } from 'zod'
import { scopeOf } from '../../../access/entitlements.ts'
import { createFeedGround } from '../../../access/feed-ground.ts'
import { whereLie } from '../../../access/where-places-lie.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { placeKey } from '../../../domain/scope.ts'
import { readFeed } from '../../../registry/feed/read-feed.ts'
import { type RequestedWord, readMeaning, refuseUnknownDistricts } from '../../../registry/words/requested-word.ts'
import { type Operation, operation } from '../../operation.ts'
import { calendarDay } from '../../parameters.ts'
import { principalOf, type RouteContext } from '../../route-context.ts'
import { AppliedScope, appliedScope, checkDays, feedErrors, grantsWithin, openScope, placesOf } from './feed-scope.ts'
import { recordsWithin } from './records-within.ts'

const filter = z.string().max(200)
const FeedBody = z
  .strictObject({
    from_date: calendarDay.optional().describe('Clamped to the start of the entitled window.'),
    to_date: calendarDay.optional().describe('Clamped to the end of the entitled window, and to today in India.'),
    search: filter
      .optional()
      .describe('Identifier, a piece of a name or its words; of a GST registration of either name.'),
    state: filter.optional().describe('In any usual spelling; an unknown name is a 422 with a suggestion.'),
    district: z
      .string()
      .max(2000)
      .optional()
      .describe('Several separated by commas; an unknown name is a 422 with a suggestion.'),
    pincode: z.string().max(2000).optional().describe('Several separated by commas; six digits each.'),
    status: filter.optional().describe('As in the answer, for example Active; in any spelling.'),
    business_type: filter
      .optional()
      .describe('Company type, or constitution of a GST registration, in any spelling; no director has any.'),
    page: z.int().min(1).max(1_000_000).default(1).describe('Number of the page, from 1.'),
    limit: z.int().min(1).max(100).default(10).describe('Records per page.'),
  })
  .nullish()
  .meta({ examples: [{ page: 1, limit: 10 }] })

/** Which column of the register a parameter asks. No director has a business type, and none is found by any. */
const wordColumn = {
  status: { company: 'status', gst: 'status', director: 'status' },
  business_type: { company: 'company_type', gst: 'constitution', director: null },
} as const

interface FeedParts<R extends z.ZodType> {
  readonly id: string
  readonly path: string
  readonly dataset: EntityType
  readonly record: R
  readonly example: unknown
}

export function feedOperation<R extends z.ZodType>({ id, path, dataset, record, example }: FeedParts<R>): Operation {
  const FeedResult = z.object({
    data: z.array(record),
    total: z.number().describe('Matches within the entitled scope.'),
    page: z.number(),
    limit: z.number(),
    access: AppliedScope,
  })
  const summary = `Recently registered: ${dataset}`
  const description =
    'Newest first: the union of your grants, up to today in India; a registration as of a later day is shown from that day on. `access` echoes the grants that were applied, as GET /api/access names them, ' +
    'and the territory and the days around them. Every member of the body is optional. The records returned count against a daily budget, see rate_limits.record_budget in GET /api/access.'
  return operation({
    ...{ id, method: 'POST', path, tag: 'Feeds', summary, description },
    caller: { scopes: ['read'] },
    audit: { reads: 'feeds' },
    seesAll: true,
    errors: feedErrors,
    body: FeedBody,
    reply: { 200: FeedResult },
    example,
    handle: ({ db, expensiveReads }) => {
      const readGround = createFeedGround(db)
      const withinBudget = recordsWithin(db)
      return async (request, reply) => {
        const asked = request.body ?? { page: 1, limit: 10 }
        checkDays(asked)
        const principal = principalOf(request)
        const ground = await readGround({ account: principal, dataset, records: asked.limit })
        return withinBudget(principal, reply, { reserved: ground.reserved, records: asked.limit }, async (reserve) => {
          const scope = openScope(ground.scope, dataset)
          const places = placesOf(asked)
          const directory = await whereLie(db, scope.grants, places)
          const grants = grantsWithin(scope.grants, places, directory, dataset)
          await refuseUnknownDistricts(db, dataset, places.districts)
          const query = {
            ...places,
            ...(await wordsAsked(db, dataset, asked)),
            scopes: grants.map(scopeOf),
            today: ground.today,
            from: asked.from_date,
            to: asked.to_date,
            search: asked.search,
            page: asked.page,
            limit: asked.limit,
          }
          await reserve()
          const { data, total } = await expensiveReads.run(request, (expensiveDb) =>
            readFeed<z.input<R>>(expensiveDb, dataset, query),
          )
          const access = appliedScope(scope.granted_by, grants, asked)
          return { data, total, page: asked.page, limit: asked.limit, access }
        })
      }
    },
  })
}

type Asked = NonNullable<z.output<typeof FeedBody>>

/** @throws AppError UNPROCESSABLE where no record can have the word. */
async function wordsAsked(db: RouteContext['db'], dataset: EntityType, asked: Asked) {
  const meaning = (parameter: 'status' | 'business_type') =>
    readWords(db, { entity: dataset, column: wordColumn[parameter][dataset], parameter, text: asked[parameter] ?? '' })
  return { statuses: await meaning('status'), businessTypes: await meaning('business_type') }
}

/** Every spelling that is meant; undefined where none is asked for. @throws AppError UNPROCESSABLE */
async function readWords(
  db: RouteContext['db'],
  { column, ...asked }: Omit<RequestedWord, 'column'> & { readonly column: string | null },
): Promise<readonly string[] | undefined> {
  if (asked.text.trim() === '') return undefined
  return column === null ? [placeKey(asked.text)] : readMeaning(db, { ...asked, column })
}
