/** What the operator reads under /admin: accounts and the runs of ingest; and offers activated once paid. */
import { z } from 'zod'
import { accountState } from '../../access/accounts.ts'
import { listAccounts } from '../../access/list-accounts.ts'
import { activateOffer } from '../../access/offers.ts'
import { AppError } from '../../errors.ts'
import { countRuns, getRun, listRuns, type RunRecord } from '../../ingest/run/runs.ts'
import { runStatuses } from '../../ingest/run/transitions.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody, paging, textFilter } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { AccountState, admin, UserPath } from './admin.ts'
import { ActivatedOffer, activationOf } from './offers.ts'

const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), total: z.number(), page: z.number(), limit: z.number() })

const User = AccountState.extend({ created_at: timestamp() }).meta({ id: 'Account' })
const count = z.number()
export const IngestRun = z
  .looseObject({
    run_id: count,
    source: z.string(),
    status: z.enum(runStatuses),
    rows_read: count,
    inserted: count,
    updated: count,
    unchanged: count,
    left_alone: count.describe('Not applied, because a newer snapshot of the same part was before'),
    closed: count,
    rejected: count,
    sha256: z.string().nullable(),
    seconds: z.number().nullable(),
    progress: z
      .looseObject({
        step: z.string().optional().describe('stage, check or merge'),
        rows: count.optional(),
        bytes_read: count.optional(),
        bytes_total: count.optional(),
        since: timestamp().optional(),
        expected_seconds: count.optional().describe('By the run of the source before'),
      })
      .describe('Of a run at work; empty once it has ended well'),
    report: z
      .record(z.string(), z.unknown())
      .describe(
        'Rejects by code, healings by kind, date orders, unknown words, header and its drift, seconds per step',
      ),
    undo: z
      .object({ run_id: count, through: z.boolean(), reason: z.string() })
      .nullable()
      .describe('Of a run that takes others back: which, whether all after it too, and why'),
    undoes: z.array(count).nullable().describe('The runs that it took back, the newest first'),
    undone_by: count.nullable().describe('The run that took this one back'),
    decision: z
      .object({
        outcome: z.enum(['approved', 'discarded']),
        by: z.string(),
        reason: z.string(),
        supersede: z.boolean(),
      })
      .nullable()
      .describe('Of a run that waited: what an operator decided, and why; none while it waits'),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
    approved_at: timestamp().nullable(),
  })
  .meta({ id: 'IngestRun' })

export const RunPath = z.object({ id: z.string().meta({ description: 'run_id', examples: ['1'] }) })

export const adminListRoutes: Routes = async (app, { db }) => {
  app.get(
    '/admin/users',
    {
      schema: {
        operationId: 'listAccounts',
        ...admin,
        summary: 'Accounts, the newest first',
        description: 'With plan and suspension.',
        querystring: z.object({
          search: textFilter('Part of the e-mail or username, a whole id, or the prefix of a key').meta({
            examples: ['demo'],
          }),
          suspended: z.enum(['true', 'false']).optional().describe('Only accounts that are, or are not'),
          ...paging(100),
        }),
        response: { 200: pageOf(User) },
      },
    },
    async ({ query: { search, suspended, page, limit } }) => {
      const only = suspended === undefined ? {} : { suspended: suspended === 'true' }
      const { accounts, total } = await listAccounts(db, { search, ...only, page, limit })
      const data = accounts.map((account) => ({
        ...accountState(account),
        created_at: account.createdAt.toISOString(),
      }))
      return { data, total, page, limit }
    },
  )

  app.post(
    '/admin/users/:id/offers/:offer_id/activate',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'activateOfferOf',
        ...admin,
        summary: 'Activate an offer that was paid for',
        description: 'Opens its feeds for its days. While it is active a repeat changes nothing.',
        params: UserPath.extend({
          offer_id: z
            .string()
            .max(200)
            .meta({ description: 'Id of the offer', examples: [exampleIds.offer] }),
        }),
        body: noBody,
        response: { 200: ActivatedOffer },
      },
    },
    async (request) => {
      const { id: accountId, offer_id: offerId } = request.params
      const asked = { accountId, offerId, by: operatorOf(request) }
      return activationOf(await db.transaction((tx) => activateOffer(tx, asked)))
    },
  )

  app.get(
    '/admin/ingest/runs',
    {
      schema: {
        operationId: 'listIngestRuns',
        ...admin,
        summary: 'Runs of ingest, the newest first',
        description:
          'With the counts of their rows, which add up: rows_read = inserted + updated + unchanged + left_alone + rejected.',
        querystring: z.object({
          source: textFilter('Source, for example mca-companies').meta({ examples: ['mca-companies'] }),
          status: z.enum(runStatuses).optional().describe('Only runs in this state'),
          ...paging(100),
        }),
        response: { 200: pageOf(IngestRun) },
      },
    },
    async ({ query }) => {
      const [runs, total] = await Promise.all([listRuns(db, query), countRuns(db, query)])
      return { data: runs.map(runOf), total, page: query.page, limit: query.limit }
    },
  )

  app.get(
    '/admin/ingest/runs/:id',
    {
      schema: {
        operationId: 'getIngestRun',
        ...admin,
        summary: 'One run of ingest with its report',
        description: 'The report holds healings, findings of the guards and, of a failed run, its error.',
        params: RunPath,
        response: { 200: IngestRun },
      },
    },
    async ({ params: { id } }) => {
      return runOf(await getRun(db, runIdOf(id)))
    },
  )
}

/** @throws AppError NOT_FOUND for anything that is no number. */
export function runIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('NOT_FOUND', 'There is no such run.')
  return Number(id)
}

export function runOf(run: RunRecord): z.output<typeof IngestRun> {
  const { created_at, started_at, finished_at, approved_at, undoes, ...rest } = run
  return {
    ...rest,
    undoes: undoes && [...undoes],
    progress: { ...run.progress },
    report: { ...run.report },
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    approved_at: approved_at?.toISOString() ?? null,
  }
}
