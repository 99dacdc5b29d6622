/** Filters on the rows of the audit log, and their SQL. */
import { sql } from '../db/sql.ts'
import { registerSpellings } from '../domain/entity-identifier.ts'

export type AuditLogKind = 'act' | 'reading' | 'refusal'

export interface AuditLogFilter {
  readonly kind?: AuditLogKind | undefined
  /** `operator` matches all of them. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** What was acted on, or a record that was shown. */
  readonly subject?: string | undefined
  readonly accountId?: string | undefined
  /** Matches any of these credential IDs. */
  readonly credentials?: readonly string[] | undefined
  readonly address?: string | undefined
  /** Days in India, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const instantOf = (n: number) => sql`(SELECT shown.at FROM access.audit shown WHERE shown.audit_id = $${n})`

const tests = {
  kind: (n: number) => `kind = $${n}`,
  actor: (n: number) => sql`(actor = $${n} OR ($${n} = 'operator' AND actor >= 'operator:' AND actor < 'operator;'))`,
  action: (n: number) => `action = $${n}`,
  subject: (n: number) =>
    sql`(subject = ANY ($${n}::text[]) OR (identifiers IS NOT NULL AND identifiers && $${n}::text[]))`,
  accountId: (n: number) => sql`account_id = $${n}::uuid`,
  credentials: (n: number) => sql`credential = ANY ($${n}::text[])`,
  address: (n: number) => `address = $${n}`,
  from: (n: number) => sql`at >= runtime.indian_midnight($${n})`,
  to: (n: number) => sql`at < runtime.indian_midnight($${n}::date + 1)`,
  before: (n: number) => `audit_id < $${n}`,
  after: (n: number) => `audit_id > $${n}`,
  beforeInTime: (n: number) => sql`(at, audit_id) < (${instantOf(n)}, $${n})`,
  // If its row has been pruned by now, so have all before it, and every remaining row comes after it.
  afterInTime: (n: number) => sql`(at, audit_id) > (coalesce(${instantOf(n)}, '-infinity'), $${n})`,
} as const

type Place = 'before' | 'after' | 'beforeInTime' | 'afterInTime'
type Places = Readonly<Partial<Record<Place, number | undefined>>>

/** Records are recorded in the spelling of the registers. */
const subjectsOf = ({ subject = '' }: AuditLogFilter): string[] => [subject, ...registerSpellings(subject)]

/** One condition per filter, with its value bound. */
export function conditionsOf(filter: AuditLogFilter & Places): {
  readonly where: string
  readonly values: readonly unknown[]
} {
  const names = (Object.keys(tests) as (keyof typeof tests)[]).filter((name) => filter[name] !== undefined)
  const where = names.map((name, index) => tests[name](index + 1))
  return {
    where: where.join(' AND ') || 'true',
    values: names.map((name) => (name === 'subject' ? subjectsOf(filter) : filter[name])),
  }
}
