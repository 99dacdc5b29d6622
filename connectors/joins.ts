/**
 * Adds records to the lists, campaigns and tags that a mapping names, after their leads were written, and adds the
 * result to the leads' outcomes. What a record joined once is stored in the ledger and never repeated, so that a
 * record that users removed stays out; nothing here removes a record. If the CRM refuses, the lead still counts as
 * delivered and its outcome says what was left out; after a transient failure it is pushed again, and joining twice
 * leaves one membership.
 */

import type { EntityType } from '../src/domain/identity.ts'
import { AppError } from '../src/errors.ts'
import type { CrmField, Join, Joins, OutgoingLead, PushOutcome, Refusal, SentRow, SessionOptions } from './contract.ts'
import type { FilledLead, Misfit } from './filled-lead.ts'
import { type ListValues, labelOf, listedValue, partsOf, whyNot, withListValues } from './listed-value.ts'

export interface JoinPort {
  /** The field with which a mapping names what records of such leads join; null if they join nothing. */
  fieldOf(type: EntityType): string | null
  /** The field's current definition in the CRM. @throws AppError */
  describe(field: string): Promise<CrmField>
  /**
   * Existing members stay. @returns why a record did not join, by CRM id.
   * @throws AppError if no record joined; permanent if its `retry` is `never`.
   */
  add(field: string, target: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, Refusal | 'later'>>
  readonly missingRights: Joins['missingRights']
}

type Written = Extract<PushOutcome, { readonly crmId: string }>

interface Party {
  readonly field: string
  readonly target: string
  /** The leads to notify, by the CRM's id of their record. */
  readonly members: Map<string, { readonly externalId: string; readonly fate: Fate }[]>
}

interface Fate {
  readonly joined: string[]
  readonly refusals: Refusal[]
  againAfterMs: number | null
}

const laterMs = 60_000

/** A pseudo-field under which mappings name the lists, campaigns or tags that records join. */
export function joinedField({ name, label }: Pick<CrmField, 'name' | 'label'>, listValues: ListValues): CrmField {
  const field: CrmField = {
    ...{ name, label, type: 'list', lengthMax: null, required: false, allowed: null },
    isJoined: true,
  }
  const [said = field] = withListValues([field], listValues)
  return said
}

const targetsNamed = ({ overrides = [] }: Pick<OutgoingLead, 'overrides'>, field: string): readonly string[] => [
  ...new Set(overrides.flatMap((each) => (each.field === field ? partsOf(each.value) : []))),
]

/** The leads without their joins, with only what fills real fields. */
export const withoutJoins = (leads: readonly OutgoingLead[], field: string): readonly OutgoingLead[] =>
  leads.map((lead) => {
    if (targetsNamed(lead, field).length === 0) return lead
    const rest = <S extends SentRow>(sent: S): S => ({
      ...sent,
      overrides: (sent.overrides ?? []).filter((each) => each.field !== field),
    })
    return { ...rest(lead), ...(lead.unconfirmed && { unconfirmed: lead.unconfirmed.map(rest) }) }
  })

/** Caches the described fields for many leads. */
function describedOnce(port: JoinPort): JoinPort {
  const described = new Map<string, Promise<CrmField>>()
  return {
    fieldOf: (type) => port.fieldOf(type),
    add: (field, target, crmIds) => port.add(field, target, crmIds),
    missingRights: (fields) => port.missingRights(fields),
    describe(field) {
      const pending = described.get(field) ?? port.describe(field)
      described.set(field, pending)
      return pending
    },
  }
}

export async function joinAll(
  given: JoinPort,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
  reportJoin: SessionOptions['reportJoin'] = () => {},
): Promise<readonly PushOutcome[]> {
  const port = describedOnce(given)
  const fates = new Map<number, { readonly field: string; readonly fate: Fate }>()
  const parties = new Map<string, Party>()
  for (const [n, lead] of leads.entries()) {
    const [outcome, field] = [outcomes[n], port.fieldOf(lead.type)]
    if (outcome === undefined || !('crmId' in outcome) || field === null) continue
    // A record that was created again has joined nothing.
    const before = outcome.status === 'created' ? [] : partsOf(lead.lastPushed?.[field])
    const fate: Fate = { joined: [...before], refusals: [], againAfterMs: null }
    const named = targetsNamed(lead, field)
    if (named.length > 0 || fate.joined.length > 0) fates.set(n, { field, fate })
    for (const text of named) {
      const target = await findTarget(port, field, text, fate)
      if (target === null || fate.joined.includes(target)) continue
      const key = JSON.stringify([field, target])
      const party = parties.get(key) ?? { field, target, members: new Map() }
      const heard = party.members.get(outcome.crmId) ?? []
      party.members.set(outcome.crmId, [...heard, { externalId: lead.externalId, fate }])
      parties.set(key, party)
    }
  }
  for (const party of parties.values()) await join(port, party, reportJoin)
  return outcomes.map((outcome, n) => {
    const entry = fates.get(n)
    return entry === undefined || !('crmId' in outcome) ? outcome : withFate(outcome, entry.field, entry.fate)
  })
}

/** null if this user may not read it: nothing can be joined then, and the missing right is reported. */
function describedOrNull(port: JoinPort, field: string): Promise<CrmField | null> {
  return port.describe(field).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'CRM_UNAUTHORIZED') return null
    throw error
  })
}

/** What the leads name, with each field's definition in the CRM; nothing for fields that this user may not read. */
async function* namedTargets(given: JoinPort, leads: readonly OutgoingLead[]) {
  const port = describedOnce(given)
  for (const lead of leads) {
    const field = port.fieldOf(lead.type)
    const named = field === null ? [] : targetsNamed(lead, field)
    if (field === null || named.length === 0) continue
    const described = await describedOrNull(port, field)
    if (described === null) continue
    for (const text of named) yield { lead, field, described, text, target: listedValue(described, text) }
  }
}

export const joinsOf = (port: JoinPort): Joins => ({
  foresee: (leads) => foresee(port, leads),
  missingRights: (fields) => port.missingRights(fields),
})

/** What would be joined now. Writes nothing. */
async function foresee(port: JoinPort, leads: readonly OutgoingLead[]): Promise<readonly Join[]> {
  const joins: Join[] = []
  for await (const { lead, field, described, target } of namedTargets(port, leads)) {
    const isNew = target !== null && !partsOf(lead.lastPushed?.[field]).includes(target)
    if (isNew) joins.push({ field, value: labelOf(described, target) })
  }
  return joins
}

/** Adds the names that cannot be joined. @param filled one per lead, in order. */
export async function withMisnamedJoins(
  port: JoinPort,
  leads: readonly OutgoingLead[],
  filled: readonly FilledLead[],
): Promise<readonly FilledLead[]> {
  const misnamed = new Map<OutgoingLead, Misfit[]>()
  for await (const { lead, field, text, target } of namedTargets(port, leads)) {
    if (target === null) misnamed.set(lead, [...(misnamed.get(lead) ?? []), { field, column: null, value: text }])
  }
  return leads.map((lead, n) => {
    const { values = {}, misfits = [] } = filled[n] ?? {}
    return { values, misfits: [...misfits, ...(misnamed.get(lead) ?? [])] }
  })
}

async function findTarget(port: JoinPort, field: string, text: string, fate: Fate): Promise<string | null> {
  try {
    const described = await port.describe(field)
    const target = listedValue(described, text)
    if (target === null) fate.refusals.push({ code: 'NOT_JOINED', field, message: whyNot(described, text) })
    return target
  } catch (error) {
    note(fate, field, error)
    return null
  }
}

async function join(
  port: JoinPort,
  { field, target, members }: Party,
  reportJoin: NonNullable<SessionOptions['reportJoin']>,
): Promise<void> {
  const waiting = [...members.values()].flat()
  for (const { externalId } of waiting) reportJoin(externalId, field, target)
  try {
    const refused = await port.add(field, target, [...members.keys()])
    for (const [crmId, leads] of members) {
      const refusal = refused.get(crmId)
      for (const { fate } of leads) {
        if (refusal === undefined) fate.joined.push(target)
        else if (refusal === 'later') fate.againAfterMs = laterMs
        else fate.refusals.push(refusal)
      }
    }
  } catch (error) {
    for (const { fate } of waiting) note(fate, field, error)
  }
}

/** The lead itself is written, so a failure of this call only concerns its membership. */
function note(fate: Fate, field: string, error: unknown): void {
  if (!(error instanceof AppError)) throw error
  const { code, message, retry } = error
  fate.refusals.push({ code, field, message })
  if (retry !== 'never') fate.againAfterMs = typeof retry === 'object' ? retry.afterMs : laterMs
}

function withFate(outcome: Written, field: string, { joined, refusals, againAfterMs }: Fate): Written {
  const reasons = [...(outcome.leftOut ? [outcome.leftOut] : []), ...refusals]
  const [first] = reasons
  const message = [...new Set(reasons.map((each) => each.message))].join('; ')
  const fields = [...new Set(reasons.flatMap((each) => each.field ?? []))].join(', ')
  return {
    ...outcome,
    values: joined.length === 0 ? outcome.values : { ...outcome.values, [field]: joined.join('; ') },
    ...(first && { leftOut: { ...first, field: fields === '' ? null : fields, message } }),
    ...(againAfterMs !== null && { againAfterMs }),
  }
}
