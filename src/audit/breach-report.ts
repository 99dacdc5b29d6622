/**
 * Who was affected by a leak: what a credential, an account or an address read and did since a day, record by record.
 * Based only on the audit log, so it goes back as far as its retention.
 */
import type { Queryable } from '../db/db.ts'
import { type AuditLogFilter, conditionsOf } from './audit-log-filter.ts'

export interface BreachReport {
  /** First and last row that the report counts; null without any. */
  readonly first_at: string | null
  readonly last_at: string | null
  readonly readings: number
  /** What was shown, by class of data. */
  readonly classes: readonly { readonly data_class: string; readonly readings: number; readonly records: number }[]
  /** Each record that was shown, with how often and when. */
  readonly records: readonly AffectedRecord[]
  /** Accounts whose credentials read, or that were acted on. */
  readonly accounts: readonly {
    readonly account_id: string
    readonly readings: number
    readonly acts: number
    readonly first_at: string
    readonly last_at: string
  }[]
  readonly credentials: readonly string[]
  readonly addresses: readonly string[]
  readonly acts: readonly { readonly action: string; readonly times: number }[]
}

export interface AffectedRecord {
  readonly identifier: string
  readonly kind: 'company' | 'director' | 'gst' | 'account' | 'other'
  readonly data_classes: readonly string[]
  readonly readings: number
  readonly first_at: string
  readonly last_at: string
}

export async function breachReport(db: Queryable, filter: AuditLogFilter): Promise<BreachReport> {
  const { where, values } = conditionsOf(filter)
  const ask = <R extends object>(sql: string) =>
    db.query<R>(
      sql.replace('$WHERE', () => where),
      values,
    )
  const [span] = await ask<{ first_at: Date | null; last_at: Date | null; readings: number }>(
    `SELECT min(at) AS first_at, max(at) AS last_at, count(*) FILTER (WHERE kind = 'reading') AS readings
     FROM access.audit WHERE $WHERE`,
  )
  const classes = await ask<BreachReport['classes'][number]>(
    `SELECT data_class, count(*) AS readings, coalesce(sum(records), 0) AS records FROM access.audit
     WHERE kind = 'reading' AND data_class IS NOT NULL AND $WHERE GROUP BY data_class ORDER BY data_class`,
  )
  const records = await ask<Omit<AffectedRecord, 'kind' | 'first_at' | 'last_at'> & { first_at: Date; last_at: Date }>(
    `SELECT identifier, array_agg(DISTINCT data_class) AS data_classes, count(*) AS readings,
            min(at) AS first_at, max(at) AS last_at
     FROM access.audit, unnest(identifiers) AS identifier WHERE kind = 'reading' AND $WHERE
     GROUP BY identifier ORDER BY identifier`,
  )
  const accounts = await ask<{ account_id: string; readings: number; acts: number; first_at: Date; last_at: Date }>(
    `SELECT account_id, count(*) FILTER (WHERE kind = 'reading') AS readings, count(*) FILTER (WHERE kind = 'act') AS acts,
            min(at) AS first_at, max(at) AS last_at
     FROM access.audit WHERE account_id IS NOT NULL AND $WHERE GROUP BY account_id ORDER BY account_id`,
  )
  const [from] = await ask<{ credentials: string[] | null; addresses: string[] | null }>(
    `SELECT array_agg(DISTINCT credential) FILTER (WHERE credential IS NOT NULL) AS credentials,
            array_agg(DISTINCT address) FILTER (WHERE address IS NOT NULL) AS addresses
     FROM access.audit WHERE $WHERE`,
  )
  const acts = await ask<{ action: string; times: number }>(
    `SELECT action, sum(coalesce((detail ->> 'times')::integer, 1)) AS times FROM access.audit
     WHERE kind <> 'reading' AND $WHERE GROUP BY action ORDER BY action`,
  )
  return {
    first_at: span?.first_at?.toISOString() ?? null,
    last_at: span?.last_at?.toISOString() ?? null,
    readings: span?.readings ?? 0,
    classes,
    records: records.map((record) => ({ ...record, kind: kindOf(record.identifier), ...spanOf(record) })),
    accounts: accounts.map((account) => ({ ...account, ...spanOf(account) })),
    credentials: from?.credentials ?? [],
    addresses: from?.addresses ?? [],
    acts,
  }
}

const spanOf = ({ first_at, last_at }: { readonly first_at: Date; readonly last_at: Date }) => ({
  first_at: first_at.toISOString(),
  last_at: last_at.toISOString(),
})

const shapes: readonly (readonly [AffectedRecord['kind'], RegExp])[] = [
  ['director', /^\d{8}$/],
  ['gst', /^\d{2}[A-Z0-9]{13}$/],
  ['company', /^(?:[A-Z]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-\d{4}|F[A-Z0-9-]{4,9})$/],
  ['account', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/],
]

const kindOf = (identifier: string): AffectedRecord['kind'] =>
  shapes.find(([, shape]) => shape.test(identifier))?.[0] ?? 'other'
