import { z } from 'zod'
import { requestLogBounds } from '../../../../config/request-log.ts'
import { retention } from '../../../../config/retention.ts'
import { listRequests, requestSorts } from '../../../access/request-log/list-requests.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting } from '../../parameters.ts'
import { KeyPath } from './key-schemas.ts'

const LoggedRequest = z
  .object({
    request_id: z.string().describe('Same as `X-Request-Id`'),
    at: timestamp('at which it was received'),
    method: z.string(),
    route: z.string().describe('Path pattern'),
    status: z.number().describe('HTTP status'),
    error_code: z.string().nullable().describe('Error code, for an answer with an error'),
    ms: z.number().describe('Milliseconds until the answer was sent'),
  })
  .meta({ id: 'LoggedRequest' })

export default operation({
  id: 'listKeyRequests',
  method: 'GET',
  path: '/api/keys/:prefix/requests',
  summary: 'List the requests of an API key',
  description:
    `Newest first unless sorted. Kept for ${retention.requests}, the newest ${requestLogBounds.keptPerKey.toLocaleString('en-IN')} per key; of many calls within a ` +
    'second only the first are stored. Without bodies and parameters. A call appears about a second after its answer.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: KeyPath,
  query: z.object({
    ...sorting(requestSorts),
    ...paging(100),
    ...growing,
    outcome: z.enum(['all', 'failed']).default('all').describe('failed: only those answered with an error'),
  }),
  reply: { 200: pageOf(LoggedRequest) },
  example: {
    data: [
      {
        request_id: '03806ef8-0b75-44b9-9a2e-f35f6d015c40',
        at: '2026-11-23T17:06:39.105Z',
        ...{ method: 'GET', route: '/api/company/details', status: 404, error_code: 'NOT_FOUND', ms: 12 },
      },
    ],
    ...{ total: 1, page: 1, limit: 10 },
  },
  handle: async ({ db, requestLog }, request, { accountId }) => {
    const { page, limit, until, outcome, sort } = request.query
    // Includes what this process has answered up to now.
    await requestLog.flush()
    const { requests, total } = await listRequests(db, {
      ...{ accountId, key: request.params.prefix, failed: outcome === 'failed' },
      ...{ until, limit, offset: (page - 1) * limit, sort },
    })
    const data = requests.map(({ requestId, at, errorCode, ...rest }) => ({
      ...{ request_id: requestId, at: at.toISOString(), ...rest, error_code: errorCode },
    }))
    return { data, total, page, limit }
  },
})
