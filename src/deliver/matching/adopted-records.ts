/**
 * Which CRM records existed before Panji wrote into them. Noted before the first of them is touched, so that a crash
 * in between never makes one look like ours: we never delete a record that is noted here.
 */
import type { Claim } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'

export async function noteAdoptions(db: Queryable, destinationId: string, claims: readonly Claim[]): Promise<void> {
  await db.execute(
    `INSERT INTO deliver.adoption (destination_id, crm_id, external_id)
     SELECT $1, crm_id, external_id FROM unnest($2::text[], $3::text[]) AS claimed (crm_id, external_id) ORDER BY crm_id
     ON CONFLICT (destination_id, crm_id) DO UPDATE SET external_id = EXCLUDED.external_id, adopted_at = now()`,
    [destinationId, claims.map(({ crmId }) => crmId), claims.map(({ externalId }) => externalId)],
  )
}

/** For records that turned out to be something else, or are gone. */
export async function forgetAdoptions(db: Queryable, destinationId: string, claims: readonly Claim[]): Promise<void> {
  await db.execute('DELETE FROM deliver.adoption WHERE destination_id = $1 AND crm_id = ANY($2::text[])', [
    destinationId,
    claims.map(({ crmId }) => crmId),
  ])
}

/** Of these CRM records, those that were there before Panji, whichever destination into the CRM account adopted them. */
export async function adoptedAmong(
  db: Queryable,
  destinationId: string,
  crmIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ crmId: string }>(
    `SELECT DISTINCT a.crm_id AS "crmId"
     FROM deliver.destination d
     JOIN deliver.destination sibling ON sibling.connector = d.connector
       AND (sibling.destination_id = d.destination_id OR sibling.verified_account = d.verified_account)
     JOIN deliver.adoption a ON a.destination_id = sibling.destination_id
     WHERE d.destination_id = $1 AND a.crm_id = ANY($2::text[])`,
    [destinationId, crmIds],
  )
  return new Set(rows.map(({ crmId }) => crmId))
}
