/** Time that passes for all accounts at once, and what the database says of their terms, credits and mails beside the model. */
import { expect } from 'vitest'
import type { Db } from '../../../../src/db/db.ts'
import { type Buyer, type Held, isOpen } from './model.ts'

const moved: Readonly<Record<string, readonly string[]>> = {
  'access.account': ['premium_until'],
  'access.subscription': ['started_at', 'ends_at', 'until_at', 'cancelled_at', 'ended_at'],
  'access.subscription_term': ['starts_at', 'ends_at', 'bought_at', 'taken_back_at'],
  'access.entitlement': ['starts_at', 'expires_at'],
  'ledger.lot': ['ends_at', 'earns_from'],
}

/** Only the clock can do that, so the guards are left out for once. */
export async function letHoursPass(db: Db, hours: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    for (const [table, columns] of Object.entries(moved)) {
      const earlier = columns.map((column) => `${column} = ${column} - make_interval(secs => 3600 * $1::float8)`)
      await tx.execute(`UPDATE ${table} SET ${earlier.join(', ')}`, [hours])
    }
  })
}

interface Said {
  readonly id: string
  readonly autoRenew: boolean
  readonly isCancelled: boolean
  readonly isOpen: boolean
  readonly terms: readonly { readonly start: number; readonly end: number; readonly price: number }[]
  readonly told: readonly string[]
}

/** @param shift milliseconds that have passed beside those of the clock. */
export async function compareRenewals(db: Db, buyers: readonly Buyer[], now: number, shift: number): Promise<void> {
  const accounts = buyers.map(({ accountId }) => accountId)
  const at = (column: string) => `round(extract(epoch FROM ${column}) * 1000)::bigint + $1::bigint`
  const said = await db.query<Said>(
    `SELECT subscription_id AS id, auto_renew AS "autoRenew", cancelled_at IS NOT NULL AS "isCancelled", until_at > now() AS "isOpen",
       (SELECT jsonb_agg(jsonb_build_object('start', ${at('t.starts_at')}, 'end', ${at('t.ends_at')}, 'price', price) ORDER BY number)
        FROM access.subscription_term t WHERE t.subscription_id = s.subscription_id) AS terms,
       (SELECT coalesce(jsonb_agg(data ->> 'reason' ORDER BY created_at), '[]') FROM deliver.mail m
        WHERE type = 'subscription.ending' AND data ->> 'subscription_id' = subscription_id::text) AS told
     FROM access.subscription s WHERE account_id = ANY ($2) ORDER BY subscription_id`,
    [shift, accounts],
  )
  const expected = buyers
    .flatMap((buyer) => buyer.held.map((held) => shownHeld(held, buyer, now)))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  expect(said).toEqual(expected)
  await compareCredits(db, buyers, now)
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
}

const shownHeld = (held: Held, { isErased }: Buyer, now: number): Said => ({
  ...{ id: held.id, autoRenew: held.autoRenew, isCancelled: held.cancelled, isOpen: isOpen(held, now) },
  terms: held.terms,
  told: isErased ? [] : held.told,
})

/** What is left to pay with, what renewals took, and what their terms brought. */
async function compareCredits(db: Db, buyers: readonly Buyer[], now: number): Promise<void> {
  const rows = await db.query<Record<'id' | 'left' | 'taken' | 'brought' | 'open', number | string>>(
    `SELECT owner_id AS id,
       coalesce(sum(total - used) FILTER (WHERE type <> 'plan'), 0)::bigint AS left,
       (SELECT coalesce(sum(amount), 0)::bigint FROM ledger.transfer WHERE customer_id = ledger_account_id AND kind = 'subscribe') AS taken,
       (SELECT coalesce(sum(amount), 0)::bigint FROM ledger.transfer JOIN ledger.lot AS l USING (lot_id)
        WHERE customer_id = account.ledger_account_id AND kind = 'grant' AND l.type = 'plan') AS brought,
       coalesce(sum(total - used) FILTER (WHERE type = 'plan' AND ends_at > now()), 0)::bigint AS open
     FROM ledger.account LEFT JOIN ledger.lot USING (ledger_account_id) WHERE owner_id = ANY ($1) AND account.kind = 'credits'
     GROUP BY ledger_account_id, owner_id ORDER BY owner_id`,
    [buyers.map(({ accountId }) => accountId)],
  )
  const expected = buyers
    .map(({ accountId, credits, held }) => {
      const terms = held.flatMap(({ terms, sold }) => terms.map((term) => ({ ...term, credits: sold.credits })))
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
      return {
        ...{ id: accountId, left: credits, taken: sum(terms.map(({ price }) => price)) },
        brought: sum(terms.map((term) => term.credits)),
        open: sum(terms.filter(({ end }) => end > now).map((term) => term.credits)),
      }
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  expect(rows).toEqual(expected)
}
