/**
 * The feeds of recently registered records. `effectiveScope` decides what may be read, as in the access statement;
 * requested places outside it are an error, dates outside it are clamped.
 */
import { z } from 'zod'
import { scopeOf } from '../../../access/entitlements.ts'
import { createFeedGround } from '../../../access/feed-ground.ts'
import { locatePlaces } from '../../../access/place-locations.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { placeKey } from '../../../domain/scope.ts'
import { readFeed } from '../../../registry/feed/read-feed.ts'
import { type RequestedWord, readMeaning, refuseUnknownDistricts } from '../../../registry/words/requested-word.ts'
import { type Operation, operation, type Shown } from '../../operation.ts'
import { calendarDay } from '../../parameters.ts'
import type { RouteContext } from '../../route-context.ts'
import { AppliedScope, appliedScope, checkDays, feedErrors, grantsWithin, openScope, placesOf } from './feed-scope.ts'
import { recordsWithin } from './records-within.ts'

const filter = z.string().max(200)
const FeedBody = z
  .strictObject({
    from_date: calendarDay.optional().describe('Clamped to the start of the entitled window.'),
    to_date: calendarDay.optional().describe('Clamped to the end of the entitled window, and to today in India.'),
    search: filter.optional().describe('Identifier, or part of a name; for a GST registration either name.'),
    state: filter.optional().describe('Any common spelling; an unknown name is a 422 with a suggestion.'),
    district: z
      .string()
      .max(2000)
      .optional()
      .describe('Several separated by commas; an unknown name is a 422 with a suggestion.'),
    pincode: z.string().max(2000).optional().describe('Several separated by commas; six digits each.'),
    status: filter.optional().describe('As in the answer, for example Active; any spelling.'),
    business_type: filter
      .optional()
      .describe('Company type, or constitution of a GST registration, in any spelling; directors have none.'),
    page: z.int().min(1).max(1_000_000).default(1).describe('Page number, from 1.'),
    limit: z.int().min(1).max(100).default(10).describe('Records per page.'),
  })
  .nullish()
  .meta({ examples: [{ page: 1, limit: 10 }] })

/** The column of the register that a parameter filters on. Directors have no business type, so none matches. */
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
    'Newest first: the union of your grants, up to today in India; a registration dated later appears from that day on. `access` echoes the grants that were applied, as named by GET /api/access, ' +
    'with the territory and the days around them. Every member of the body is optional. Returned records count against a daily budget, see rate_limits.record_budget in GET /api/access.'
  return operation({
    ...{ id, method: 'POST', path, summary, description },
    caller: { scopes: ['read'] },
    audit: { reads: 'feeds' },
    seesAll: true,
    errors: feedErrors,
    body: FeedBody,
    reply: { 200: FeedResult },
    example,
    prepare: ({ db, expensiveReads }) => {
      const readGround = createFeedGround(db)
      const withinBudget = recordsWithin(db)
      return async (request, principal, reply) => {
        const requested = request.body ?? { page: 1, limit: 10 }
        checkDays(requested)
        const ground = await readGround({ account: principal, dataset, records: requested.limit })
        return withinBudget(
          principal,
          reply,
          { reserved: ground.reserved, records: requested.limit },
          async (reserve) => {
            const scope = openScope(ground.scope, dataset)
            const places = placesOf(requested)
            const directory = await locatePlaces(db, scope.grants, places)
            const grants = grantsWithin(scope.grants, places, directory, dataset)
            await refuseUnknownDistricts(db, dataset, places.districts)
            const query = {
              ...places,
              ...(await wordsAsked(db, dataset, requested)),
              scopes: grants.map(scopeOf),
              today: ground.today,
              from: requested.from_date,
              to: requested.to_date,
              search: requested.search,
              page: requested.page,
              limit: requested.limit,
            }
            await reserve()
            const { data, total } = await expensiveReads.run(request, (expensiveDb) =>
              readFeed<Shown<R>>(expensiveDb, dataset, query),
            )
            const access = appliedScope(scope.granted_by, grants, requested)
            return { data, total, page: requested.page, limit: requested.limit, access }
          },
        )
      }
    },
  })
}

type Asked = NonNullable<z.output<typeof FeedBody>>

/** @throws AppError UNPROCESSABLE where no record can have the value. */
async function wordsAsked(db: RouteContext['db'], dataset: EntityType, requested: Asked) {
  const meaning = (parameter: 'status' | 'business_type') =>
    readWords(db, {
      entity: dataset,
      column: wordColumn[parameter][dataset],
      parameter,
      text: requested[parameter] ?? '',
    })
  return { statuses: await meaning('status'), businessTypes: await meaning('business_type') }
}

/** All spellings of the value; undefined where the filter is absent. @throws AppError UNPROCESSABLE */
async function readWords(
  db: RouteContext['db'],
  { column, ...requested }: Omit<RequestedWord, 'column'> & { readonly column: string | null },
): Promise<readonly string[] | undefined> {
  if (requested.text.trim() === '') return undefined
  return column === null ? [placeKey(requested.text)] : readMeaning(db, { ...requested, column })
}
