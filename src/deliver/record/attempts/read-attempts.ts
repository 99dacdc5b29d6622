/**
 * The attempts of one delivery's record, newest first: what was sent, what the CRM answered, each field before and
 * after. Callers who may not see personal data get the fields without values; data of people who objected is hidden
 * from everyone.
 */
import type { RowWrite } from '../../../../connectors/contract.ts'
import type { Db } from '../../../db/db.ts'
import { sqlFile } from '../../../db/sql-file.ts'
import { hiddenValue, suppressedTexts } from '../../../suppression/suppressed-texts.ts'

export const attemptsMax = 50

export interface AttemptField {
  readonly field: string
  readonly sent: unknown
  /** null if the record held nothing, or was not read because it was new. */
  readonly before: unknown
  /** null if it is unknown whether it was written. */
  readonly after: unknown
}

export interface Attempt {
  readonly at: string
  readonly status: 'created' | 'updated' | 'unchanged' | 'rejected' | 'deferred' | 'unknown'
  readonly crm_id: string | null
  readonly code: string | null
  readonly field: string | null
  readonly message: string | null
  readonly fields: AttemptField[]
}

interface StoredAttempt extends Omit<Attempt, 'at' | 'fields'> {
  readonly at: Date
  readonly fields: RowWrite | null
  readonly objected: boolean
}

const readSql = sqlFile(import.meta.url, 'read.sql')

/** The caller has read the delivery. */
export async function readAttempts(
  db: Db,
  deliveryId: string,
  { isMasked }: { readonly isMasked: boolean },
): Promise<Attempt[]> {
  const stored = await db.query<StoredAttempt>(readSql, [deliveryId, attemptsMax])
  const texts = stored.flatMap(({ fields, message }) => [message, ...valuesOf(fields)])
  const isHeld = await suppressedTexts(db, texts)
  return stored.map(({ at, fields, objected, ...attempt }) => {
    const shown = (value: unknown) =>
      (isMasked || objected || isHeld(value)) && value !== null && value !== '' ? hiddenValue : value
    return {
      ...{ ...attempt, at: at.toISOString(), message: isHeld(attempt.message) ? hiddenValue : attempt.message },
      fields: Object.entries(fields?.sent ?? {}).map(([field, sent]) => {
        const before = shown(fields?.before?.[field] ?? null)
        const isLeftOut = attempt.field?.split(', ').includes(field) === true
        return {
          field,
          sent: shown(sent),
          before,
          after: isLeftOut ? before : afterOf(attempt.status, shown(sent), before),
        }
      }),
    }
  })
}

const valuesOf = (fields: RowWrite | null): unknown[] => [
  ...Object.values(fields?.sent ?? {}),
  ...Object.values(fields?.before ?? {}),
]

function afterOf(status: Attempt['status'], sent: unknown, before: unknown): unknown {
  if (status === 'unknown') return null
  return status === 'rejected' || status === 'deferred' ? before : sent
}
