/**
 * The feeds of recently registered records. What may be read comes from `effectiveScope`, as in the access
 * statement; asked-for places outside it are refused, dates outside it are clamped.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Vocabulary } from '../../../config/vocabularies.ts'
import {
  type EffectiveScope,
  effectiveScope,
  hullOfGrants,
  type StatedGrant,
  scopeOf,
} from '../../access/entitlements.ts'
import { giveBackRecords, reserveRecords } from '../../access/record-budget.ts'
import type { EntityType } from '../../domain/identity.ts'
import { earlierOf, laterOf, placeKey } from '../../domain/scope.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { type FeedPage, type FeedQuery, readFeed } from '../../registry/feed/read-feed.ts'
import { readWord, spellingsOf } from '../../registry/words/words.ts'
import { meaningOf, refuseUnknownDistricts } from '../../registry/words/words-asked.ts'
import { dearErrors } from '../documented-errors.ts'
import { setRecordBudget } from '../hooks/response-headers.ts'
import { calendarDay, stateAsked } from '../parameters.ts'
import { type Principal, principalOf, type RouteContext, type Routes } from '../route-context.ts'
import { CompanyRecord, DirectorRecord, GstRecord } from './feed-records.ts'
import { DateWindow, GrantedBy, Territory } from './scope-schema.ts'

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
type FeedRequest = NonNullable<z.infer<typeof FeedBody>>

/** Whose words a business type is; directors have none. */
const businessWords = { company: 'company-type', gst: 'constitution', director: null } as const

const AppliedScope = z
  .object({ granted_by: GrantedBy, territory: Territory, date_window: DateWindow })
  .meta({ id: 'FeedAccess' })

const errors: readonly ErrorCode[] = ['NO_DATASET_ACCESS', 'TERRITORY_NOT_ENTITLED', 'UNPROCESSABLE', ...dearErrors]

/** An entitlement that is in force; it has at least one grant. */
interface OpenScope {
  readonly granted_by: z.infer<typeof GrantedBy>
  readonly grants: readonly StatedGrant[]
}

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
      config: { errors },
      schema: { operationId, tags: ['Feeds'], summary, description, body: FeedBody, response: { 200: FeedResult } },
    },
    async (request, reply) => {
      const asked = request.body ?? { page: 1, limit: 10 }
      if (asked.from_date !== undefined && asked.to_date !== undefined && asked.from_date > asked.to_date) {
        throw new AppError('UNPROCESSABLE', 'from_date lies after to_date.')
      }
      const principal = principalOf(request)
      const scope = openScope(await effectiveScope(db, principal, dataset), dataset)
      const places = placesOf(asked)
      const grants = grantsWithin(scope.grants, places, dataset)
      await refuseUnknownDistricts(db, dataset, places.districts)
      const statuses = asked.status?.trim()
        ? await meaningOf(db, { entity: dataset, column: 'status', parameter: 'status', text: asked.status })
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
      const { territory, date_window } = hullOfGrants(grants)
      const window = {
        from: laterOf(date_window.from, asked.from_date ?? null),
        to: earlierOf(date_window.to, asked.to_date ?? null),
      }
      const access = { granted_by: scope.granted_by, territory, date_window: { ...date_window, ...window } }
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
    setRecordBudget(reply, await giveBackRecords(db, principal, reserved, limit - returned))
  }
}

/** @throws AppError NO_DATASET_ACCESS, which tells of the grant that ended last. */
function openScope(scope: EffectiveScope, dataset: EntityType): OpenScope {
  const { enabled, granted_by, grants, reason, ended_grants } = scope
  if (enabled && granted_by !== null) return { granted_by, grants }
  const [last] = ended_grants
  const ended = last ? ` "${last.plan}" ${last.why === 'revoked' ? 'was revoked' : 'ended'} at ${last.ended_at}.` : ''
  const message = `No active plan grants recently_registered.${dataset}.${ended}`
  throw refusal('NO_DATASET_ACCESS', dataset, String(reason), message)
}

const spellings = (vocabulary: Vocabulary | null, text: string): string[] | undefined => {
  if (text.trim() === '') return undefined
  const word = vocabulary === null ? undefined : readWord(vocabulary, text)
  return vocabulary === null || word === undefined ? [placeKey(text)] : spellingsOf(vocabulary, word).map(placeKey)
}

type Places = Pick<FeedQuery, 'state' | 'districts' | 'pincodes'>

function placesOf(asked: Pick<FeedRequest, 'state' | 'district' | 'pincode'>): Places {
  return {
    state: stateAsked('state', asked.state),
    districts: partsOf(asked.district),
    pincodes: partsOf(asked.pincode),
  }
}

function partsOf(list: string | undefined): string[] | undefined {
  const parts = list?.split(',').flatMap((part) => part.trim() || [])
  return parts && parts.length > 0 ? parts : undefined
}

/**
 * The grants that hold what is asked for: of several districts or pincodes each must lie in one that holds the places
 * before it.
 * @throws AppError TERRITORY_NOT_ENTITLED naming the first place outside the territory.
 */
function grantsWithin(grants: readonly StatedGrant[], places: Places, dataset: EntityType): readonly StatedGrant[] {
  const checks = [
    ['state', 'states', places.state === undefined ? [] : [places.state]],
    ['district', 'districts', places.districts ?? []],
    ['pincode', 'pincodes', places.pincodes ?? []],
  ] as const
  return checks.reduce((within, [kind, list, asked]) => {
    if (asked.length === 0) return within
    const keyed = within.map((grant) => ({ grant, keys: keysOf(grant.territory[list]) }))
    const outside = asked.find((name) => !keyed.some(({ keys }) => keys === null || keys.has(placeKey(name))))
    if (outside === undefined) {
      return keyed
        .filter(({ keys }) => keys === null || asked.some((name) => keys.has(placeKey(name))))
        .map(({ grant }) => grant)
    }
    const message = `The ${kind} "${outside}" lies outside your entitled territory. See GET /api/access.`
    throw refusal('TERRITORY_NOT_ENTITLED', dataset, `${kind}_outside_entitled_territory`, message)
  }, grants)
}

const keysOf = (names: readonly string[] | null) => names && new Set(names.map(placeKey))

function refusal(
  code: 'NO_DATASET_ACCESS' | 'TERRITORY_NOT_ENTITLED',
  dataset: EntityType,
  reason: string,
  message: string,
): AppError {
  return new AppError(code, message, { extra: { dataset: `recently_registered.${dataset}`, message, reason } })
}
