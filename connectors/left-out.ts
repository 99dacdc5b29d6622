/**
 * Fields that are left out of leads because the CRM user may not write them now, or does not see them. The lead is
 * delivered all the same, and each lead that lacks such a field says so, even if nothing else of it was written. A
 * value written before the right was revoked does not count as left out.
 */
import { AppError } from '../src/errors.ts'
import type { CrmField, OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import { lastWritten, textOf } from './field-ownership.ts'

type Values = Readonly<Record<string, unknown>>
type Delivered = Extract<PushOutcome, { readonly crmId: string }>

/**
 * @param ask what a lead lacks; called if at least one was delivered. Everything is written by then, so a CRM that
 * does not answer undoes nothing.
 */
export async function reportLeftOut(
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
  ask: () => Promise<(lead: OutgoingLead, outcome: Delivered) => Refusal | null>,
): Promise<readonly PushOutcome[]> {
  if (!outcomes.some(isDelivered)) return outcomes
  const leftOutOf = await ask().catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  return outcomes.map((outcome, n) => {
    const lead = leads[n]
    if (leftOutOf === null || lead === undefined || !isDelivered(outcome) || outcome.leftOut) return outcome
    const leftOut = leftOutOf(lead, outcome)
    return leftOut === null ? outcome : { ...outcome, leftOut }
  })
}

const isDelivered = (outcome: PushOutcome): outcome is Delivered => 'crmId' in outcome

/**
 * Fields that a lead would fill but does not, sorted by name.
 * @param may what it fills. @param would what it would fill if this user could write all fields.
 */
export function fieldsLeftOut(may: Values, would: Values, lastPushed: OutgoingLead['lastPushed']): string[] {
  const isWritten = (field: string, value: unknown) => textOf(lastWritten(lastPushed?.[field])) === textOf(value)
  const missing = Object.entries(would).filter(
    ([field, value]) => textOf(value) !== '' && may[field] === undefined && !isWritten(field, value),
  )
  return missing.map(([field]) => field).toSorted()
}

interface Filled {
  /** What the lead fills. */
  readonly may: Values
  /** What it would fill if this user could write all fields. */
  readonly would: Values
  /** Fields that the destination's mapping fills: they are not noted in `note`. */
  readonly own: ReadonlySet<string>
  /** The field that collects values without a field of their own. */
  readonly note: string
  /** A sentence on what a person must do. */
  readonly todo: (missing: readonly string[]) => string
}

/** @returns null if the lead lacks nothing. */
export function refusalOfLeftOut(
  { lastPushed }: OutgoingLead,
  { may, would, own, note, todo }: Filled,
): Refusal | null {
  const missing = fieldsLeftOut(may, would, lastPushed)
  if (missing.length === 0) return null
  const isNoted = may[note] !== undefined && missing.every((name) => !own.has(name))
  return withoutFields(missing, isNoted, todo(missing))
}

/** A field that this user does not see. */
export const unseen = (name: string): CrmField => ({
  ...{ name, label: name, type: 'string', lengthMax: null, required: false, allowed: null },
})

/** Those of the named fields that the CRM does not list, but that the lead's last push filled or its mapping names. */
export function unseenOf(
  { lastPushed, overrides = [] }: OutgoingLead,
  names: readonly string[],
  listed: ReadonlySet<string>,
): CrmField[] {
  const known = names.filter((name) => lastPushed?.[name] !== undefined)
  const mapped = overrides.map(({ field }) => field)
  return [...new Set([...known, ...mapped])].filter((name) => !listed.has(name)).map(unseen)
}

/**
 * @param noted whether the Description contains the missing values. @param todo a sentence on what a person must do.
 */
function withoutFields(fields: readonly string[], noted: boolean, todo: string): Refusal {
  const where = noted ? '; their values are in the Description' : ''
  const message = `The lead was written without ${fields.join(', ')}: this user may not edit ${fields.length === 1 ? 'the field, or does not see it' : 'the fields, or does not see them'}${where}. What to do: ${todo} Then send the lead again.`
  return { code: 'FIELD_NOT_WRITABLE', field: fields.join(', '), message }
}
