/**
 * The current term of a subscription, which determines its name: a renewal uses the plan as of then, from its own
 * start. For a subscription that is over, the last term.
 */
import { sql } from '../../db/sql.ts'

/** How a term was sold; terms from before this was stored use the values of their subscription. */
export const soldAs = (term: string, subscription: string, what: 'name' | 'interval'): string =>
  sql`coalesce(${term}.${what}, ${subscription}.${what})`

/** Its name, interval, price and paid_with. @param subscription the name or alias of a row of `access.subscription`. */
export const runningTerm = (subscription: string): string =>
  sql`(SELECT ${soldAs('term', subscription, 'name')} AS name, ${soldAs('term', subscription, 'interval')} AS interval, term.price, term.paid_with
       FROM access.subscription_term AS term WHERE term.subscription_id = ${subscription}.subscription_id
       ORDER BY term.starts_at < term.ends_at AND term.starts_at <= now() DESC, number DESC LIMIT 1)`

export const nameOfRunningTerm = (subscription: string): string =>
  sql`(SELECT running.name FROM ${runningTerm(subscription)} AS running)`
