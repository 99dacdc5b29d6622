/**
 * What a CRM is asked of its fields holds for a session, and an administrator may change them meanwhile. So leads that are refused
 * for a field are pushed once more where the CRM, asked anew, says something else of its fields than it did; what changed decides
 * then, as it would for the next session, and no lead is rejected for what was true an hour ago.
 */
import { AppError } from '../src/errors.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import { deferred } from './deferrals.ts'

export interface FieldsOfCrm {
  /** A refusal that other fields, lengths, lists or rights would explain. */
  mayBeOfFields(refusal: Refusal): boolean
  /** How often the CRM's answers became others in this session, whoever asked anew: pushes run beside each other. */
  count(): number
  /** Asks anew. */
  renew(): Promise<void>
}

type Outcomes = ReadonlyMap<string, PushOutcome>

/**
 * @param push gives outcomes by what `keyOf` says of a lead.
 * @throws AppError as `push` does, where nothing was written.
 */
export async function pushAsChanged(
  leads: readonly OutgoingLead[],
  keyOf: (lead: OutgoingLead) => string,
  fields: FieldsOfCrm,
  push: (leads: readonly OutgoingLead[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  const before = fields.count()
  let outcomes: Outcomes
  try {
    outcomes = await push(leads)
  } catch (error) {
    // A field that is gone refuses whole calls.
    const isOfFields = error instanceof AppError && error.code === 'DESTINATION_INVALID'
    if (!isOfFields || !(await haveChanged(fields, before))) throw error
    return push(leads)
  }
  const again = leads.filter((lead) => {
    const outcome = outcomes.get(keyOf(lead))
    return outcome?.status === 'rejected' && fields.mayBeOfFields(outcome)
  })
  if (again.length === 0 || !(await haveChanged(fields, before))) return outcomes
  return new Map([...outcomes, ...(await pushAgain(again, keyOf, push))])
}

/** Others of the call are written: nothing is thrown any more. */
function pushAgain(
  leads: readonly OutgoingLead[],
  keyOf: (lead: OutgoingLead) => string,
  push: (leads: readonly OutgoingLead[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  return push(leads).catch((error: unknown) => {
    if (error instanceof AppError) return new Map(leads.map((lead) => [keyOf(lead), deferred(error)] as const))
    throw error
  })
}

/** A CRM that does not answer has not said that anything changed. */
async function haveChanged({ renew, count }: FieldsOfCrm, before: number): Promise<boolean> {
  await renew().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
  return count() > before
}
