/**
 * Records that the ledger knows by the CRM's own id and that are not found by their identity any more. They are read by that id,
 * all in one go, before anything is created, so that no lead ever has a second record by mistake: one whose field of the identity
 * was deleted or emptied gets it back, one that was merged is followed to the winner, and one that is gone stays gone, unless the
 * settings or a person who retries the delivery say otherwise. A plan looks and writes nothing.
 */
import { z } from 'zod'
import type { Claim, KnownRecords, NotWritten, OutgoingLead, PushOutcome } from './contract.ts'

/** Why a lead is not written: its record was deleted, merged away or converted. */
export type Fate = Extract<NotWritten, { readonly status: 'rejected' }>

/** What becomes of a lead whose record somebody deleted in the CRM: nothing, or a new record. */
export const OnDeleted = z.enum(['respect', 'recreate']).default('respect')
export type OnDeleted = z.output<typeof OnDeleted>

/** `restore` gives records their identity back. */
export type KnownUse = 'look' | 'restore'

/** A lead of a record that the ledger knows, and that its identity does not find. */
export interface Lost extends Claim {
  /** True where a person said so. */
  readonly recreate: boolean
}

export interface KnownWays<Found> {
  /** As people call it. */
  readonly crm: string
  /** The field of the identity, as the vendor names it. */
  readonly identity: string
  readonly onDeleted: OnDeleted
  readonly use: KnownUse
  /** Of these the records that there are, by the id that was asked for, with all that a push compares; of merged ones the winner. */
  read(lost: readonly Lost[]): Promise<ReadonlyMap<string, Found>>
  /** Of records that are not among those, by id, what else than a deletion took them away: they are never made anew. */
  goneOtherwise?(lost: readonly Lost[]): Promise<ReadonlyMap<string, Fate>>
  idOf(record: Found): string
  /** The identity that the record holds; empty where it stands for no lead. */
  identityOf(record: Found): unknown
  /** True of a record that takes no write any more: it is known by its id alone, and gets no identity back. */
  isClosed?(record: Found): boolean
  /** The record as it is once it has this identity. */
  named(record: Found, externalId: string): Found
  /** Writes the identities. @returns by external id what became of those that were not written. */
  write(claims: readonly Claim[]): Promise<ReadonlyMap<string, NotWritten>>
}

export interface Known<Found> {
  /** By external id the records that were found by the CRM's id, as they are with their identity. */
  readonly records: ReadonlyMap<string, Found>
  /** By external id the fields of the identity that a record gets back. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** By external id why the lead is not to be written, or not now. */
  readonly refused: ReadonlyMap<string, NotWritten>
  /** By external id the gone records that are to be created again. */
  readonly again: ReadonlyMap<string, string>
}

export const nothingKnown = <Found>(): Known<Found> => ({
  ...{ records: new Map(), named: new Map(), refused: new Map(), again: new Map() },
})

/** As much of a lead as finds its record. */
export type Sought = Pick<OutgoingLead, 'externalId' | 'crmId' | 'lastPushed' | 'recreate'>

const neverSent = { crmId: null, lastPushed: null }

export const soughtOf = (externalIds: readonly string[], known: KnownRecords): Sought[] =>
  externalIds.map((externalId) => ({ externalId, ...(known.get(externalId) ?? neverSent) }))

/** True where no identity has to be asked for: each of these is found by the CRM's own id, where it is there at all. */
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
    else refused.set(externalId, record === undefined ? deleted(crmId, ways.crm) : taken(crmId, id, String(holder)))
  }
  const open = [...nameless.values()].filter(({ record }) => ways.isClosed?.(record) !== true)
  // One that has its identity yet could not be asked for by it, since its field was changed.
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

const taken = (crmId: string, winner: string, holder: string): Fate => ({
  ...{ status: 'rejected', code: crmId === winner ? 'IDENTITY_TAKEN' : 'MERGED', field: null, isFate: true },
  message: `The record ${crmId} ${crmId === winner ? 'stands' : `was merged into ${winner}, which stands`} for ${holder} by now, so nothing of this lead is written into it. Retry this delivery to give the lead a record of its own.`,
})

const lostIdentity = (field: string, outcome: NotWritten): NotWritten => ({
  ...outcome,
  ...(outcome.status === 'rejected' && { code: 'IDENTITY_LOST', field }),
  message: `The record in the CRM lost its Panji identity, and did not take it back: ${outcome.message}`,
})

const askAgainMs = 60_000

/** Of a record that was to get an identity. What nobody knows is looked at again: whoever has it by then keeps it. */
export const unlessNamed = (outcome: PushOutcome): NotWritten | null => {
  if ('crmId' in outcome) return null
  if (outcome.status !== 'unknown') return outcome
  return { status: 'deferred', afterMs: askAgainMs, code: 'NO_ANSWER', field: null, message: outcome.message }
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

const isSame = (holder: unknown, externalId: string): boolean =>
  String(holder).toLowerCase() === externalId.toLowerCase()
