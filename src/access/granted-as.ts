/**
 * The name of a grant. A subscription's grant has the name of the latest started term that opens it, since a renewal is
 * sold under the name of its day; if none has started, that of the last term. Other grants, and those from before terms
 * had names, keep the name that they were created with.
 */
import { sql } from '../db/sql.ts'

/** @param grant the name or alias of a row of `access.entitlement`. */
export const grantedAs = (grant: string, what: 'plan_name' | 'interval'): string =>
  sql`coalesce((SELECT term.${what === 'interval' ? what : 'name'} FROM access.subscription_term AS term
       WHERE term.subscription_id = ${grant}.subscription_id AND (term.opens IS NULL OR ${grant}.dataset = ANY (term.opens))
       ORDER BY term.starts_at < term.ends_at AND term.starts_at <= now() DESC, term.number DESC LIMIT 1), ${grant}.${what})`
