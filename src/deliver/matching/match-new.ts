/**
 * Leads that a CRM never held are looked for among the records that the customer had before, where the destination says so. What is
 * certain is given the lead's identity, and the lead is delivered into it; what is likely waits for a person; all others are made
 * new. Run again after any death, what was taken is found by its identity, and what a person decided is not asked again.
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
  /** By external id, of those that wait for a person, or for a record that is theirs and did not take their identity. */
  readonly waiting: ReadonlyMap<string, PushOutcome>
}

/** Looked at again by then, since the customer may have decided in the CRM. */
const askAgainMs = 3_600_000

/** @throws what the connector throws; nothing was written for any lead then, but identities that are noted. */
export async function matchNew<L extends OutgoingLead>(
  db: Db,
  destinationId: string,
  { session: { adoption }, thresholds }: Pick<OpenDestination, 'session' | 'thresholds'>,
  leads: readonly L[],
): Promise<Matched<L>> {
  const nothing = { leads, waiting: new Map<string, PushOutcome>() }
  if (!matchesNew(thresholds) || adoption === undefined) return nothing
  const { claims, news } = await decidedBefore(db, destinationId, leads.filter(isNew))
  const matches = news.length === 0 ? new Map<string, Match>() : oncePerRecord(await adoption.match(news))
  const { adoptFrom, askFrom } = thresholds
  const waiting = new Map<string, PushOutcome>()
  for (const [externalId, match] of matches) {
    const score = scoreOf(match.columns)
    const isCertain = match.is === 'one' && adoptFrom !== null && score >= adoptFrom
    if (isCertain) claims.push({ externalId, crmId: match.crmId })
    else if (askFrom !== null && score >= askFrom) waiting.set(externalId, undecided(match))
  }
  const { taken, unwritten } = await take(db, destinationId, adoption, claims)
  for (const [externalId, outcome] of unwritten) waiting.set(externalId, outcome)
  const outgoing = leads
    .filter(({ externalId }) => !waiting.has(externalId))
    // Known by its id, it is read before it is written, and keeps what the customer filled.
    .map((lead) => (taken.has(lead.externalId) ? { ...lead, crmId: taken.get(lead.externalId) ?? null } : lead))
  return { leads: outgoing, waiting }
}

const isNew = ({ crmId, lastPushed, unconfirmed = [] }: OutgoingLead): boolean =>
  crmId === null && lastPushed === null && unconfirmed.length === 0

/**
 * Of these leads those that nobody decided, and the records that were taken for others: whoever took one may have died before it
 * got its identity.
 */
async function decidedBefore<L extends OutgoingLead>(
  db: Db,
  destinationId: string,
  leads: readonly L[],
): Promise<{ readonly claims: Claim[]; readonly news: readonly L[] }> {
  if (leads.length === 0) return { claims: [], news: [] }
  const rows = await db.query<{ externalId: string; crmId: string | null }>(
    `SELECT external_id AS "externalId", crm_id AS "crmId" FROM deliver.adoption WHERE destination_id = $1 AND external_id = ANY ($2)
     UNION ALL SELECT external_id, NULL FROM deliver.unmatched WHERE destination_id = $1 AND external_id = ANY ($2)`,
    [destinationId, leads.map(({ externalId }) => externalId)],
  )
  const decided = new Set(rows.map(({ externalId }) => externalId))
  const claims = rows.flatMap(({ externalId, crmId }) => (crmId === null ? [] : [{ externalId, crmId }]))
  return { claims, news: leads.filter(({ externalId }) => !decided.has(externalId)) }
}

/** One record is taken for one lead: where several want it, a person has to say whose it is. */
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

interface Taken {
  /** By external id the records that were taken. */
  readonly taken: ReadonlyMap<string, string>
  /** What became of those that are the leads' and were not written: they stay noted, since the CRM may have written them all the same. */
  readonly unwritten: ReadonlyMap<string, PushOutcome>
}

/** One that somebody else took meanwhile is not taken, and its lead is made new. */
async function take(
  db: Db,
  destinationId: string,
  adoption: NonNullable<OpenDestination['session']['adoption']>,
  claims: readonly Claim[],
): Promise<Taken> {
  if (claims.length === 0) return { taken: new Map(), unwritten: new Map() }
  await noteAdoptions(db, destinationId, claims)
  const untaken = await adoption.claim(claims)
  const lost = claims.filter(({ externalId }) => untaken.has(externalId) && !untaken.get(externalId)?.outcome)
  if (lost.length > 0) await forgetAdoptions(db, destinationId, lost)
  return {
    taken: new Map(
      claims.flatMap(({ externalId, crmId }) => (untaken.has(externalId) ? [] : [[externalId, crmId] as const])),
    ),
    unwritten: new Map([...untaken].flatMap(([externalId, { outcome }]) => (outcome ? [[externalId, outcome]] : []))),
  }
}

function undecided(match: Match): PushOutcome {
  const what = match.is === 'one' ? `The record ${match.crmId} ${explained(match.columns)}` : match.reason
  const message = `${what}. A plan of its order says what it would change there; push it by its hash, with adopt true to take the record or false for a new one`
  return { status: 'deferred', afterMs: askAgainMs, code: undecidedCode, field: null, message }
}
