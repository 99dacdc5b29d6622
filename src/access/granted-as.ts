/**
 * What a grant is called. One of a subscription bears the name of the last begun term that opens it, since a renewal is sold under
 * the name of its day; where none has begun, that of the last one. Any other, and one from before terms had names, is called as it was made.
 */
import { sql } from '../db/sql.ts'

/** @param grant the name or alias of a row of `access.entitlement`. */
export const grantedAs = (grant: string, what: 'plan_name' | 'interval'): string =>
  sql`coalesce((SELECT term.${what === 'interval' ? what : 'name'} FROM access.subscription_term AS term
       WHERE term.subscription_id = ${grant}.subscription_id AND (term.opens IS NULL OR ${grant}.dataset = ANY (term.opens))
       ORDER BY term.starts_at < term.ends_at AND term.starts_at <= now() DESC, term.number DESC LIMIT 1), ${grant}.${what})`
