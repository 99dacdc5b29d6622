/** Offers: declared in config/plans.ts, kept in step in the database, because activated ones refer to them. */
import { offers } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'

export interface Offer {
  readonly id: string
  readonly name: string
  readonly description: string
  /** INR. */
  readonly price: number
  readonly duration_days: number
  readonly features: readonly string[]
}

/** Writes only what differs; an offer that left the list is retired, not deleted. */
export async function syncOffers(db: Queryable): Promise<void> {
  await db.execute(
    `INSERT INTO access.offer AS o (offer_id, name, description, price, duration_days, features)
     SELECT id, name, description, price, "durationDays", features
     FROM jsonb_to_recordset($1::jsonb)
       AS n(id text, name text, description text, price numeric, "durationDays" integer, features text[])
     ON CONFLICT (offer_id) DO UPDATE SET name = excluded.name, description = excluded.description,
       price = excluded.price, duration_days = excluded.duration_days, features = excluded.features, retired_at = NULL
     WHERE (o.name, o.description, o.price, o.duration_days, o.features, o.retired_at) IS DISTINCT FROM
       (excluded.name, excluded.description, excluded.price, excluded.duration_days, excluded.features, NULL)`,
    [JSON.stringify(offers)],
  )
  await db.execute('UPDATE access.offer SET retired_at = now() WHERE retired_at IS NULL AND offer_id <> ALL ($1)', [
    offers.map((offer) => offer.id),
  ])
}

const columns = `o.offer_id AS id, o.name, o.description, o.price, o.duration_days, o.features`

/** On sale now, cheapest first. */
export async function listAvailableOffers(db: Queryable): Promise<Offer[]> {
  return db.query<Offer>(
    `SELECT ${columns} FROM access.offer o WHERE o.retired_at IS NULL ORDER BY o.price, o.offer_id`,
  )
}

/** Activated by the account and not yet over, each once, retired ones included. */
export async function listActivatedOffers(db: Queryable, accountId: string): Promise<Offer[]> {
  return db.query<Offer>(
    `SELECT ${columns} FROM access.offer o
     WHERE EXISTS (SELECT FROM access.activated_offer a
                   WHERE a.offer_id = o.offer_id AND a.account_id = $1 AND a.expires_at > now())
     ORDER BY o.price, o.offer_id`,
    [accountId],
  )
}
