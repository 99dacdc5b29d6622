/** The calls of one key of an account. */
import type { Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { madeUntil } from '../../db/until.ts'
import { getApiKey } from '../manage-keys.ts'
import type { LoggedRequest } from './request-log.ts'

export type ListedRequest = Omit<LoggedRequest, 'accountId' | 'apiKeyId'>

export interface RequestsAsked {
  readonly accountId: string
  /** Prefix or ID of the key. */
  readonly key: string
  /** Only those answered with an error. */
  readonly failed: boolean
  /** When the newest of them arrived. */
  readonly until?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly sort?: SortOf<'at' | 'route' | 'status' | 'ms'> | undefined
}

/** A key has few enough calls to sort by any column. */
export const requestSorts = listSorts('at-', {
  by: { at: 'at', route: ['route', 'method'], status: 'status', ms: 'ms' },
  tie: 'at DESC, request_id',
})

/** Newest first unless `sort` says otherwise. @throws AppError NOT_FOUND for a key that the account never had. */
export async function listRequests(
  db: Queryable,
  { accountId, key, failed, until, limit, offset, sort }: RequestsAsked,
): Promise<{ readonly requests: readonly ListedRequest[]; readonly total: number }> {
  const { apiKeyId } = await getApiKey(db, accountId, key)
  const matching = sql`FROM access.request_log WHERE api_key_id = $1 AND account_id = $2 AND (NOT $3 OR status >= 400)
    AND ${madeUntil('at', '$4')}`
  const values = [apiKeyId, accountId, failed, until ?? null]
  const [all] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching}`, values)
  const requests = await db.query<ListedRequest>(
    sql`SELECT at, method, route, status, error_code AS "errorCode", ms, request_id AS "requestId" ${matching}
     ORDER BY ${requestSorts.orderBy(sort)} LIMIT $5 OFFSET $6`,
    [...values, limit, offset],
  )
  return { requests, total: all?.total ?? 0 }
}
