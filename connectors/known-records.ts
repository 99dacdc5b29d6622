/**
 * Records that the ledger knows by the CRM's own id but that are no longer found by their external id. They are all
 * read by that id before anything is created, so that no lead gets a second record by mistake: a record whose
 * external-id field was deleted or emptied gets it back, a merged one is followed to the surviving record, and a
 * deleted one stays deleted unless the settings, or a person who retries the delivery, say otherwise. A plan only
 * reads.
 */
import { z } from 'zod'
import type { Claim, KnownRecords, NotWritten, OutgoingLead, PushOutcome } from './contract.ts'

/** Why a lead is not written: its record was deleted, merged or converted. */
export type Fate = Extract<NotWritten, { readonly status: 'rejected' }>

/** What happens to a lead whose record a user deleted in the CRM: nothing, or a new record. */
export const OnDeleted = z.enum(['respect', 'recreate']).default('respect')
export type OnDeleted = z.output<typeof OnDeleted>

/** `restore` writes lost external ids back. */
export type KnownUse = 'look' | 'restore'

/** A lead whose record the ledger knows, but that its external id does not find. */
export interface Lost extends Claim {
  /** True if a person requested it. */
  readonly recreate: boolean
}

export interface KnownWays<Found> {
  /** The CRM's name as users know it. */
  readonly crm: string
  /** The vendor's name of the external-id field. */
  readonly identity: string
  readonly onDeleted: OnDeleted
  readonly use: KnownUse
  /** The existing records, by the requested id, with all that a push compares; for merged ones the surviving record. */
  read(lost: readonly Lost[]): Promise<ReadonlyMap<string, Found>>
  /** For records that `read` does not find: why, if it was not a deletion, by id. These are never created again. */
  goneOtherwise?(lost: readonly Lost[]): Promise<ReadonlyMap<string, Fate>>
  idOf(record: Found): string
  /** The external id that the record holds; empty if it belongs to no lead. */
  identityOf(record: Found): unknown
  /**
   * True for a record that no longer accepts writes: it is known by its id only and does not get its external id
   * back.
   */
  isClosed?(record: Found): boolean
  /** The record with this external id set. */
  named(record: Found, externalId: string): Found
  /** Writes the external ids. @returns the outcomes of those that were not written, by external id. */
  write(claims: readonly Claim[]): Promise<ReadonlyMap<string, NotWritten>>
}

export interface Known<Found> {
  /** By external id: the records found by the CRM's id, with their external id. */
  readonly records: ReadonlyMap<string, Found>
  /** By external id: the external-id fields that a record gets back. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** By external id: why the lead is not written, or not now. */
  readonly refused: ReadonlyMap<string, NotWritten>
  /** By external id: deleted records that are to be created again. */
  readonly again: ReadonlyMap<string, string>
}

export const nothingKnown = <Found>(): Known<Found> => ({
  ...{ records: new Map(), named: new Map(), refused: new Map(), again: new Map() },
})

/** The part of a lead that is needed to find its record. */
export type Sought = Pick<OutgoingLead, 'externalId' | 'crmId' | 'lastPushed' | 'recreate'>

const neverSent = { crmId: null, lastPushed: null }

export const soughtOf = (externalIds: readonly string[], known: KnownRecords): Sought[] =>
  externalIds.map((externalId) => ({ externalId, ...(known.get(externalId) ?? neverSent) }))

/** True if none has to be looked up by external id: each is found by the CRM's own id, if it exists at all. */
export const areAllKnown = (sought: readonly Sought[]): boolean => sought.every(({ crmId }) => crmId !== null)

export function lostAmong(leads: readonly Sought[], found: { has(externalId: string): boolean }): readonly Lost[] {
  return leads.flatMap(({ externalId, crmId, recreate = false }) =>
    crmId === null || found.has(externalId) ? [] : [{ externalId, crmId, recreate }],
  )
}

export async function findKnown<Found>(lost: readonly Lost[], ways: KnownWays<Found>): Promise<Known<Found>> {
  if (lost.length === 0) return nothingKnown()
  const held = await ways.read(lost)
  const missing = lost.filter(({ crmId }) => !held.has(crmId))
  const otherwise = missing.length === 0 ? undefined : await ways.goneOtherwise?.(missing)
  const refused = new Map<string, NotWritten>()
  const again = new Map<string, string>()
  const nameless = new Map<string, { readonly claim: Claim; readonly record: Found }>()
  for (const each of lost) {
    const { externalId, crmId } = each
    const record = held.get(crmId)
    const id = record === undefined ? crmId : ways.idOf(record)
    const holder = nameless.get(id)?.claim.externalId ?? (record === undefined ? '' : ways.identityOf(record))
    const fate = otherwise?.get(crmId)
    if (fate !== undefined) refused.set(externalId, fate)
    else if (record !== undefined && (isEmpty(holder) || isSame(holder, externalId)))
      nameless.set(id, { claim: { externalId, crmId: id }, record })
    else if (each.recreate || (record === undefined && ways.onDeleted === 'recreate')) again.set(externalId, crmId)
    else refused.set(externalId, record === undefined ? deleted(crmId, ways.crm) : takenOver(crmId, id, String(holder)))
  }
  const open = [...nameless.values()].filter(({ record }) => ways.isClosed?.(record) !== true)
  // Some still have their external id but could not be found by it, because the field was changed.
  const claims = open.flatMap(({ claim, record }) => (isEmpty(ways.identityOf(record)) ? [claim] : []))
  const isToWrite = ways.use === 'restore' && claims.length > 0
  const unwritten = isToWrite ? await ways.write(claims) : new Map<string, NotWritten>()
  for (const [externalId, outcome] of unwritten) refused.set(externalId, lostIdentity(ways.identity, outcome))
  const records = [...nameless.values()].flatMap(({ claim: { externalId }, record }) =>
    unwritten.has(externalId) ? [] : [[externalId, ways.named(record, externalId)] as const],
  )
  const named = open.map(({ claim: { externalId } }) => [externalId, [ways.identity]] as const)
  return { records: new Map(records), named: new Map(named), refused, again }
}

const deleted = (crmId: string, crm: string): Fate => ({
  ...{ status: 'rejected', code: 'DELETED', field: null, isFate: true },
  message: `The record ${crmId} is not in ${crm} any more: it was deleted, or this user may not see it. It is not created again, unless you retry this delivery or set on_deleted to recreate.`,
})

const takenOver = (crmId: string, winner: string, holder: string): Fate => ({
  ...{ status: 'rejected', code: crmId === winner ? 'IDENTITY_TAKEN' : 'MERGED', field: null, isFate: true },
  message: `The record ${crmId} ${crmId === winner ? 'stands' : `was merged into ${winner}, which stands`} for ${holder} by now, so nothing of this lead is written into it. Retry this delivery to give the lead a record of its own.`,
})

const lostIdentity = (field: string, outcome: NotWritten): NotWritten => ({
  ...outcome,
  ...(outcome.status === 'rejected' && { code: 'IDENTITY_LOST', field }),
  message: `The record in the CRM lost its Panji identity, and did not take it back: ${outcome.message}`,
})

const askAgainMs = 60_000

/**
 * For a record that was to get an external id. An unknown outcome is checked again; a record that has one by then
 * keeps it.
 */
export const unlessNamed = (outcome: PushOutcome): NotWritten | null => {
  if ('crmId' in outcome) return null
  if (outcome.status !== 'unknown') return outcome
  return { status: 'deferred', afterMs: askAgainMs, code: 'NO_ANSWER', field: null, message: outcome.message }
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

const isSame = (holder: unknown, externalId: string): boolean =>
  String(holder).toLowerCase() === externalId.toLowerCase()
