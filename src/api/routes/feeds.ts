/**
 * The feeds of recently registered records. What may be read comes from `effectiveScope`, as in the access
 * statement; asked-for places outside it are refused, dates outside it are clamped.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Vocabulary } from '../../../config/vocabularies.ts'
import { effectiveScope, scopeOf } from '../../access/entitlements.ts'
import { giveBackRecords, reserveRecords } from '../../access/record-budget.ts'
import { whereLie } from '../../access/where-places-lie.ts'
import type { EntityType } from '../../domain/identity.ts'
import { placeKey } from '../../domain/scope.ts'
import { type FeedPage, readFeed } from '../../registry/feed/read-feed.ts'
import { readWord, spellingsOf } from '../../registry/words/words.ts'
import { readMeaning, refuseUnknownDistricts } from '../../registry/words/words-asked.ts'
import { setRecordBudget } from '../hooks/response-headers.ts'
import { calendarDay } from '../parameters.ts'
import { type Principal, principalOf, type RouteContext, type Routes } from '../route-context.ts'
import { CompanyRecord, DirectorRecord, GstRecord } from './feed-records.ts'
import { AppliedScope, appliedScope, checkDays, feedErrors, grantsWithin, openScope, placesOf } from './feed-scope.ts'

const filter = z.string().max(200)
const FeedBody = z
  .strictObject({
    from_date: calendarDay.optional().describe('Clamped to the start of the entitled window.'),
    to_date: calendarDay.optional().describe('Clamped to the end of the entitled window.'),
    search: filter.optional().describe('Identifier or name.'),
    state: filter.optional().describe('In any usual spelling; an unknown name is a 422 with a suggestion.'),
    district: z
      .string()
      .max(2000)
      .optional()
      .describe('Several separated by commas; an unknown name is a 422 with a suggestion.'),
    pincode: z.string().max(2000).optional().describe('Several separated by commas.'),
    status: filter.optional().describe('As in the answer, for example Active; in any spelling.'),
    business_type: filter.optional().describe('Company type, or constitution of a GST registration.'),
    page: z.int().min(1).max(1_000_000).default(1).describe('Number of the page, from 1.'),
    limit: z.int().min(1).max(100).default(10).describe('Records per page.'),
  })
  .nullish()
  .meta({ examples: [{ page: 1, limit: 10 }] })

/** Whose words a business type is; directors have none. */
const businessWords = { company: 'company-type', gst: 'constitution', director: null } as const

export const feedRoutes: Routes = async (app, context) => {
  addFeed(app, context, '/api/recently-registered/companies', 'company', CompanyRecord, 'listRecentCompanies')
  addFeed(app, context, '/api/recently-registered/directors', 'director', DirectorRecord, 'listRecentDirectors')
  addFeed(app, context, '/api/recently-registered/gst', 'gst', GstRecord, 'listRecentGstRegistrations')
}

function addFeed<R extends z.ZodType>(
  app: FastifyInstance,
  { db, dearReads }: RouteContext,
  path: string,
  dataset: EntityType,
  record: R,
  operationId: string,
): void {
  const FeedResult = z.object({
    data: z.array(record),
    total: z.number().describe('Matches within the entitled scope.'),
    page: z.number(),
    limit: z.number(),
    access: AppliedScope,
  })
  const summary = `Recently registered: ${dataset}`
  const description =
    'Newest first: the union of your grants. `access` echoes the territory and the days around those that were applied, ' +
    'which GET /api/access lists. Every member of the body is optional. The records returned count against a daily budget, see rate_limits.record_budget in GET /api/access.'
  app.withTypeProvider<ZodTypeProvider>().post(
    path,
    {
      config: { errors: feedErrors },
      schema: { operationId, tags: ['Feeds'], summary, description, body: FeedBody, response: { 200: FeedResult } },
    },
    async (request, reply) => {
      const asked = request.body ?? { page: 1, limit: 10 }
      checkDays(asked)
      const principal = principalOf(request)
      const scope = openScope(await effectiveScope(db, principal, dataset), dataset)
      const places = placesOf(asked)
      const directory = await whereLie(db, scope.grants, places)
      const grants = grantsWithin(scope.grants, places, directory, dataset)
      await refuseUnknownDistricts(db, dataset, places.districts)
      const statuses = asked.status?.trim()
        ? await readMeaning(db, { entity: dataset, column: 'status', parameter: 'status', text: asked.status })
        : undefined
      const query = {
        ...places,
        scopes: grants.map(scopeOf),
        from: asked.from_date,
        to: asked.to_date,
        search: asked.search,
        statuses,
        businessTypes: spellings(businessWords[dataset], asked.business_type ?? ''),
        page: asked.page,
        limit: asked.limit,
      }
      const { data, total } = await withinBudget(db, principal, reply, asked.limit, () =>
        dearReads.run(request, (dearDb) => readFeed<z.output<R>>(dearDb, dataset, query)),
      )
      const access = appliedScope(scope.granted_by, grants, asked)
      return { data, total, page: asked.page, limit: asked.limit, access }
    },
  )
}

/** Reads a page within the day's budget of records and says what is left of it. @throws AppError RATE_LIMITED */
async function withinBudget<R>(
  db: RouteContext['db'],
  principal: Principal,
  reply: FastifyReply,
  limit: number,
  read: () => Promise<FeedPage<R>>,
): Promise<FeedPage<R>> {
  const reserved = await reserveRecords(db, principal, limit)
  let returned = 0
  try {
    const page = await read()
    returned = page.data.length
    return page
  } finally {
    // What an operator looks at is not the account's use.
    const used = principal.viewer ? 0 : returned
    setRecordBudget(reply, await giveBackRecords(db, principal, reserved, limit - used))
  }
}

const spellings = (vocabulary: Vocabulary | null, text: string): string[] | undefined => {
  if (text.trim() === '') return undefined
  const word = vocabulary === null ? undefined : readWord(vocabulary, text)
  return vocabulary === null || word === undefined ? [placeKey(text)] : spellingsOf(vocabulary, word).map(placeKey)
}
