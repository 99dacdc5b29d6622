/**
 * Gives records of the customer that a plan adopted their leads' external ids. Looks for the other leads that the CRM
 * has never held among the customer's existing records, if the destination asks for it. A certain match gets the lead's
 * external id and is updated; a likely one waits for a person; every other lead is created. Safe to repeat after a
 * crash: an adopted record is found by its external id, and a decision is not asked for again.
 */
import type { Claim, Match, OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import type { OpenDestination } from '../destinations/open-destination.ts'
import { matchesNew } from '../destinations/thresholds.ts'
import { undecidedCode } from '../lease/undecided-code.ts'
import { forgetAdoptions, noteAdoptions } from './adopted-records.ts'
import { explained, scoreOf } from './score.ts'

export interface Matched<L extends OutgoingLead> {
  /** To be sent. */
  readonly leads: readonly L[]
  /** By external id: leads that wait for a person, or whose own record did not accept the external id. */
  readonly waiting: ReadonlyMap<string, PushOutcome>
}

/** Checked again by then, since the customer may have decided in the CRM. */
const askAgainMs = 3_600_000

/** @throws what the connector throws; at that point nothing was written for any lead except noted identities. */
export async function matchNew<L extends OutgoingLead>(
  db: Db,
  destinationId: string,
  { session: { adoption }, thresholds }: Pick<OpenDestination, 'session' | 'thresholds'>,
  leads: readonly L[],
): Promise<Matched<L>> {
  const nothing = { leads, waiting: new Map<string, PushOutcome>() }
  if (adoption === undefined) return nothing
  const { claims, newLeads } = await decidedBefore(db, destinationId, leads.filter(isNew))
  const asks = matchesNew(thresholds) && newLeads.length > 0
  const matches = asks ? oncePerRecord(await adoption.match(newLeads)) : new Map<string, Match>()
  const { adoptFrom, askFrom } = thresholds
  const waiting = new Map<string, PushOutcome>()
  for (const [externalId, match] of matches) {
    const score = scoreOf(match.columns)
    const isCertain = match.is === 'one' && adoptFrom !== null && score >= adoptFrom
    if (isCertain) claims.push({ externalId, crmId: match.crmId })
    else if (askFrom !== null && score >= askFrom) waiting.set(externalId, undecided(match))
  }
  const { adopted, unwritten } = await adopt(db, destinationId, adoption, claims)
  for (const [externalId, outcome] of unwritten) waiting.set(externalId, outcome)
  const outgoing = leads
    .filter(({ externalId }) => !waiting.has(externalId))
    // Known by its id, it is read before it is written, and keeps what the customer filled.
    .map((lead) => (adopted.has(lead.externalId) ? { ...lead, crmId: adopted.get(lead.externalId) ?? null } : lead))
  return { leads: outgoing, waiting }
}

const isNew = ({ crmId, lastPushed, unconfirmed = [] }: OutgoingLead): boolean =>
  crmId === null && lastPushed === null && unconfirmed.length === 0

/**
 * Which of these leads are decided, and which records were adopted for others: the process that adopted one may have
 * crashed before the record got its external id.
 */
async function decidedBefore<L extends OutgoingLead>(
  db: Db,
  destinationId: string,
  leads: readonly L[],
): Promise<{ readonly claims: Claim[]; readonly newLeads: readonly L[] }> {
  if (leads.length === 0) return { claims: [], newLeads: [] }
  const rows = await db.query<{ externalId: string; crmId: string | null }>(
    `SELECT external_id AS "externalId", crm_id AS "crmId" FROM deliver.adoption WHERE destination_id = $1 AND external_id = ANY ($2)
     UNION ALL SELECT external_id, NULL FROM deliver.unmatched WHERE destination_id = $1 AND external_id = ANY ($2)`,
    [destinationId, leads.map(({ externalId }) => externalId)],
  )
  const decided = new Set(rows.map(({ externalId }) => externalId))
  const claims = rows.flatMap(({ externalId, crmId }) => (crmId === null ? [] : [{ externalId, crmId }]))
  return { claims, newLeads: leads.filter(({ externalId }) => !decided.has(externalId)) }
}

/** A record can be adopted for one lead only: if several match it, a person has to decide. */
function oncePerRecord(matches: ReadonlyMap<string, Match>): ReadonlyMap<string, Match> {
  const wanting = new Map<string, number>()
  for (const match of matches.values())
    if (match.is === 'one') wanting.set(match.crmId, (wanting.get(match.crmId) ?? 0) + 1)
  return new Map(
    [...matches].map(([externalId, match]) => {
      const leads = match.is === 'one' ? (wanting.get(match.crmId) ?? 0) : 0
      if (match.is !== 'one' || leads < 2) return [externalId, match]
      const reason = `${leads} leads match the one record ${match.crmId}`
      return [externalId, { is: 'unclear', reason, columns: match.columns }]
    }),
  )
}

interface Adoptions {
  /** The adopted records, by external id. */
  readonly adopted: ReadonlyMap<string, string>
  /**
   * Outcomes of leads whose own records were not written: they stay noted, since the CRM may have written them all
   * the same.
   */
  readonly unwritten: ReadonlyMap<string, PushOutcome>
}

/** A record that the CRM user gave to something else in between is not adopted, and its lead is created. */
async function adopt(
  db: Db,
  destinationId: string,
  adoption: NonNullable<OpenDestination['session']['adoption']>,
  claims: readonly Claim[],
): Promise<Adoptions> {
  if (claims.length === 0) return { adopted: new Map(), unwritten: new Map() }
  await noteAdoptions(db, destinationId, claims)
  const failed = await adoption.claim(claims)
  const lost = claims.filter(({ externalId }) => failed.has(externalId) && !failed.get(externalId)?.outcome)
  if (lost.length > 0) await forgetAdoptions(db, destinationId, lost)
  return {
    adopted: new Map(
      claims.flatMap(({ externalId, crmId }) => (failed.has(externalId) ? [] : [[externalId, crmId] as const])),
    ),
    unwritten: new Map([...failed].flatMap(([externalId, { outcome }]) => (outcome ? [[externalId, outcome]] : []))),
  }
}

function undecided(match: Match): PushOutcome {
  const what = match.is === 'one' ? `The record ${match.crmId} ${explained(match.columns)}` : match.reason
  const message = `${what}. Plan its order to see what would change there; push the plan by its hash, with adopt true to use the record or false to create a new one`
  return { status: 'deferred', afterMs: askAgainMs, code: undecidedCode, field: null, message }
}
