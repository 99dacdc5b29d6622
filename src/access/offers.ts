/** Offers: declared in config/sales.ts and synchronised to the database, because activated ones refer to them. */
import { featureDatasets, offers, trialDaysBefore } from '../../config/sales.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import { daysAfter, indianDayOf } from '../domain/iso-date.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { grantEntitlement } from './grants.ts'

export interface Offer {
  readonly id: string
  readonly name: string
  readonly description: string
  /** INR. */
  readonly price: number
  readonly duration_days: number
  readonly features: readonly string[]
}

/** Writes only differences; a removed offer is retired, not deleted. */
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
    sql`SELECT ${columns} FROM access.offer o WHERE o.retired_at IS NULL ORDER BY o.price, o.offer_id`,
  )
}

/** Offers that the account activated or bought and that have not ended, each once, including retired ones. */
export async function listActivatedOffers(db: Queryable, accountId: string): Promise<Offer[]> {
  return db.query<Offer>(
    sql`SELECT ${columns} FROM access.offer o
     WHERE EXISTS (SELECT FROM access.activated_offer a
                   WHERE a.offer_id = o.offer_id AND a.account_id = $1 AND a.expires_at > now())
        OR EXISTS (SELECT FROM access.subscription s
                   WHERE s.product = o.offer_id AND s.kind = 'offer' AND s.account_id = $1 AND s.until_at > now())
     ORDER BY o.price, o.offer_id`,
    [accountId],
  )
}

/** IDs of free offers on sale that the account has used: each can be activated once. */
export async function listUsedOffers(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<Pick<Offer, 'id'>>(
    `SELECT o.offer_id AS id FROM access.offer o
     WHERE o.retired_at IS NULL AND o.price = 0
       AND EXISTS (SELECT FROM access.activated_offer a WHERE a.offer_id = o.offer_id AND a.account_id = $1)
     ORDER BY o.offer_id`,
    [accountId],
  )
  return rows.map(({ id }) => id)
}

export interface Activation {
  readonly offer: Offer
  readonly activatedAt: Date
  readonly expiresAt: Date
  /** The feeds that it opens. */
  readonly datasets: readonly EntityType[]
}

/**
 * Activates an offer and grants its features for its days. While it is active, activating it again changes nothing. An
 * account activates free offers itself, each once, and buys priced ones (src/orders/subscriptions); an operator may
 * activate any.
 *
 * @throws AppError NOT_FOUND, BAD_REQUEST for a priced offer, CONFLICT for a free one that was used before.
 */
export async function activateOffer(
  tx: Tx,
  request: { readonly accountId: string; readonly offerId: string; readonly by: Actor },
): Promise<Activation> {
  const { accountId, offerId, by } = request
  // Locks the account, so that concurrent activations are serialised and the second finds the first.
  const held = isUuid(accountId)
    ? await tx.query('SELECT FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', [
        accountId,
      ])
    : []
  if (held.length === 0) throw new AppError('NOT_FOUND', 'No such account.')
  const [offer] = await tx.query<Offer>(
    sql`SELECT ${columns} FROM access.offer o WHERE o.offer_id = $1 AND o.retired_at IS NULL`,
    [offerId],
  )
  if (!offer) throw new AppError('NOT_FOUND', 'There is no offer with this ID on sale. See GET /api/offers/available.')
  const datasets = datasetsOf(offer)
  const [earlier] = await tx.query<Pick<Activation, 'activatedAt' | 'expiresAt'> & { active: boolean }>(
    `SELECT activated_at AS "activatedAt", expires_at AS "expiresAt", expires_at > now() AS active
     FROM access.activated_offer WHERE account_id = $1 AND offer_id = $2 ORDER BY expires_at DESC LIMIT 1`,
    [accountId, offerId],
  )
  if (earlier?.active) {
    return { offer, datasets, activatedAt: earlier.activatedAt, expiresAt: earlier.expiresAt }
  }
  if (by.startsWith('account:')) refuseUnpaid(offer, earlier !== undefined)

  const [activated] = await tx.query<Pick<Activation, 'activatedAt' | 'expiresAt'>>(
    `INSERT INTO access.activated_offer (account_id, offer_id, expires_at)
     VALUES ($1, $2, now() + make_interval(days => $3))
     RETURNING activated_at AS "activatedAt", expires_at AS "expiresAt"`,
    [accountId, offerId, offer.duration_days],
  )
  if (!activated) throw new Error('the insert of an activation returned no row')
  await audit(tx, { actor: by, action: 'activate offer', subject: accountId, detail: { offerId } })
  const grant = {
    accountId,
    grantedBy: 'offer' as const,
    planName: offer.name,
    expiresAt: activated.expiresAt,
    actor: by,
  }
  const bounds = offer.price === 0 ? trialBounds(activated) : {}
  for (const dataset of datasets) await grantEntitlement(tx, { ...grant, ...bounds, dataset })
  return { offer, datasets, ...activated }
}

/**
 * A free offer covers recent records and those that arrive until it ends, not the whole register. Its window begins
 * before the offer does, so it is not anchored.
 */
function trialBounds({ activatedAt, expiresAt }: Pick<Activation, 'activatedAt' | 'expiresAt'>) {
  const from = daysAfter(indianDayOf(activatedAt), -trialDaysBefore)
  return { from, to: indianDayOf(expiresAt), trial: true }
}

function refuseUnpaid(offer: Offer, usedBefore: boolean): void {
  if (offer.price > 0) {
    throw new AppError(
      'BAD_REQUEST',
      `This offer costs INR ${offer.price}: buy it with POST /api/offers/${offer.id}/buy.`,
    )
  }
  if (usedBefore) throw new AppError('CONFLICT', 'This account has already used the free offer.')
}

function datasetsOf({ features }: Offer): EntityType[] {
  const known: Readonly<Record<string, EntityType>> = featureDatasets
  return features.flatMap((feature) => known[feature] ?? [])
}
