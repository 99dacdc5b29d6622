/** The calls of one key of an account, the newest first. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { getApiKey } from '../manage-keys.ts'
import type { LoggedRequest } from './request-log.ts'

export type ListedRequest = Omit<LoggedRequest, 'accountId' | 'apiKeyId'>

export interface RequestsAsked {
  readonly accountId: string
  /** Prefix or id of the key. */
  readonly key: string
  /** Those that were answered with an error alone. */
  readonly failed: boolean
  readonly limit: number
  readonly offset: number
}

/** @throws AppError NOT_FOUND for a key that the account never had. */
export async function listRequests(
  db: Queryable,
  { accountId, key, failed, limit, offset }: RequestsAsked,
): Promise<{ readonly requests: readonly ListedRequest[]; readonly total: number }> {
  const { apiKeyId } = await getApiKey(db, accountId, key)
  const asked = 'FROM access.request_log WHERE api_key_id = $1 AND account_id = $2 AND (NOT $3 OR status >= 400)'
  const [all] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${asked}`, [apiKeyId, accountId, failed])
  const requests = await db.query<ListedRequest>(
    sql`SELECT at, method, route, status, error_code AS "errorCode", ms, request_id AS "requestId" ${asked}
     ORDER BY at DESC, request_id LIMIT $4 OFFSET $5`,
    [apiKeyId, accountId, failed, limit, offset],
  )
  return { requests, total: all?.total ?? 0 }
}
