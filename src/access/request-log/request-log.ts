/**
 * The request log of keys, buffered in memory and written together about a second later, so that no call waits for it.
 * It is a convenience, not a record: excess calls, and calls during a long database outage, are left out, and a process
 * that is killed loses its last second. It is not the audit log.
 */
import { requestLogBounds } from '../../../config/request-log.ts'
import type { Queryable } from '../../db/db.ts'
import { writeBehind } from '../../db/write-behind.ts'

export interface LoggedRequest {
  readonly accountId: string
  readonly apiKeyId: string
  readonly at: Date
  readonly method: string
  /** The pattern of the path. */
  readonly route: string
  readonly status: number
  readonly errorCode: string | null
  readonly ms: number
  readonly requestId: string
}

export interface RequestLog {
  note(request: LoggedRequest): void
  /** Writes the buffer. @throws where the database rejects it. */
  flush(): Promise<void>
}

/** @param db sees the rows of all accounts. @param onFault is called with a failed write, which is retried. */
export function createRequestLog(db: Queryable, onFault: (error: unknown) => void): RequestLog {
  const { flushMs, perKeyAtOnce, heldMax } = requestLogBounds
  let held: LoggedRequest[] = []
  let ofKeys = new Map<string, number>()
  const { later, flush } = writeBehind(write, flushMs, onFault)

  async function write(): Promise<void> {
    const batch = held
    if (batch.length === 0) return
    ;[held, ofKeys] = [[], new Map()]
    try {
      await db.execute(insertStatement, columnsOf(batch))
    } catch (error) {
      held = [...batch, ...held].slice(0, heldMax)
      throw error
    }
  }

  return {
    note(request) {
      const ofKey = ofKeys.get(request.apiKeyId) ?? 0
      if (ofKey >= perKeyAtOnce || held.length >= heldMax) return
      ofKeys.set(request.apiKeyId, ofKey + 1)
      held.push(request)
      later()
    },
    flush,
  }
}

/** One array per column: the server parses them in half the time of one object per row. */
const columnsOf = (batch: readonly LoggedRequest[]): unknown[] => [
  batch.map(({ accountId }) => accountId),
  batch.map(({ apiKeyId }) => apiKeyId),
  batch.map(({ at }) => at.toISOString()),
  batch.map(({ method }) => method),
  batch.map(({ route }) => route),
  batch.map(({ status }) => status),
  batch.map(({ errorCode }) => errorCode),
  batch.map(({ ms }) => ms),
  batch.map(({ requestId }) => requestId),
]

/** The commit does not wait for the disk. */
const insertStatement = {
  name: 'log-requests',
  text: `WITH quick_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         INSERT INTO access.request_log (account_id, api_key_id, at, method, route, status, error_code, ms, request_id)
         SELECT noted.* FROM quick_commit, unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[],
           $6::smallint[], $7::text[], $8::integer[], $9::text[]) AS noted`,
}
