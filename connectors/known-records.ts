/**
 * Records that the ledger knows by the CRM's own id and that are not found by their identity any more: the field was deleted
 * with all its values, or a deduplication tool emptied it. They are read by that id, all in one go, and get their identity
 * back before anything is created, so that no lead ever has a second record. A plan looks and writes nothing.
 */
import type { Claim, FieldChange, OutgoingLead, PushOutcome } from './contract.ts'

export interface KnownWays<Found> {
  /** Of these the records that there are, by the CRM's id, with all that a push compares. */
  read(claims: readonly Claim[]): Promise<ReadonlyMap<string, Found>>
  /** The identity that the record holds; empty where it stands for no lead. */
  identityOf(record: Found): unknown
  /** The record as it is once it has this identity. */
  named(record: Found, externalId: string): Found
  /** Writes the identities; a plan does not. @returns by external id why one was not written. */
  write(claims: readonly Claim[], records: ReadonlyMap<string, Found>): Promise<ReadonlyMap<string, string>>
}

export interface Known<Found> {
  /** By external id the records that were found by the CRM's id, as they are with their identity. */
  readonly records: ReadonlyMap<string, Found>
  /** By external id why a record has no identity yet: its lead is not to be written, or it would be created again. */
  readonly refused: ReadonlyMap<string, string>
}

/** Leads of a record that the ledger knows, and that their identity does not find. */
export function lostAmong(
  leads: readonly OutgoingLead[],
  found: { has(externalId: string): boolean },
): readonly Claim[] {
  return leads.flatMap(({ externalId, crmId }) =>
    crmId === null || found.has(externalId) ? [] : [{ externalId, crmId }],
  )
}

export async function findKnown<Found>(lost: readonly Claim[], ways: KnownWays<Found>): Promise<Known<Found>> {
  if (lost.length === 0) return { records: new Map(), refused: new Map() }
  const held = await ways.read(lost)
  const nameless = new Map<string, Claim>()
  for (const claim of lost) {
    const record = held.get(claim.crmId)
    if (record !== undefined && isEmpty(ways.identityOf(record)) && !nameless.has(claim.crmId))
      nameless.set(claim.crmId, claim)
  }
  const claims = [...nameless.values()]
  const refused = claims.length === 0 ? new Map<string, string>() : await ways.write(claims, held)
  const records = claims.flatMap(({ externalId, crmId }) => {
    const record = held.get(crmId)
    return record === undefined || refused.has(externalId)
      ? []
      : [[externalId, ways.named(record, externalId)] as const]
  })
  return { records: new Map(records), refused }
}

/** What a plan says of the identity that a record gets back. */
export const identityBack = (field: string, externalId: string): FieldChange => ({
  ...{ field, before: null, after: externalId },
})

/** The lead is not sent, since it would be created a second time. */
export function withoutIdentity(field: string, reason: string): PushOutcome & { readonly status: 'rejected' } {
  const message = `The record in the CRM lost its Panji identity, and did not take it back: ${reason}`
  return { status: 'rejected', code: 'IDENTITY_LOST', field, message }
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
