/**
 * What a CRM is asked of its fields holds for a session, and an administrator may change them meanwhile. So leads that are refused
 * for a field are pushed once more where the CRM, asked anew or by its refusal, says something else of its fields than it did; what
 * changed decides then, as it would for the next session, and no lead is rejected for what was true an hour ago.
 */
import { AppError } from '../src/errors.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import { deferred } from './deferrals.ts'

export interface FieldsOfCrm {
  /** A refusal that other fields, lengths, lists or rights would explain. */
  mayBeOfFields(refusal: Refusal): boolean
  /** What was asked, and how often its answer became another one in this session, whoever asked anew: pushes run beside each other. */
  readonly asked: readonly { readonly changes: number; renew(): Promise<void> }[]
}

/** By item id. */
type Outcomes = ReadonlyMap<string, PushOutcome>

/** @throws AppError as `push` does, where nothing was written. */
export async function pushAsChanged(
  leads: readonly OutgoingLead[],
  fields: FieldsOfCrm,
  push: (leads: readonly OutgoingLead[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  const before = changesOf(fields)
  let outcomes: Outcomes
  try {
    outcomes = await push(leads)
  } catch (error) {
    // A field that is gone refuses whole calls.
    const isOfFields = error instanceof AppError && error.code === 'DESTINATION_INVALID'
    if (!isOfFields || !(await haveChanged(fields, before))) throw error
    return push(leads)
  }
  const again = leads.filter(({ itemId }) => {
    const outcome = outcomes.get(itemId)
    return outcome?.status === 'rejected' && fields.mayBeOfFields(outcome)
  })
  if (again.length === 0 || !(await haveChanged(fields, before))) return outcomes
  // Others of the call are written: nothing is thrown any more.
  const told = await pushAsChanged(again, fields, push).catch((error: unknown) => {
    if (error instanceof AppError)
      return new Map<string, PushOutcome>(again.map(({ itemId }) => [itemId, deferred(error)]))
    throw error
  })
  return new Map([...outcomes, ...told])
}

const changesOf = ({ asked }: FieldsOfCrm): number => asked.reduce((sum, { changes }) => sum + changes, 0)

/** A CRM that does not answer has not said that anything changed. */
async function haveChanged(fields: FieldsOfCrm, before: number): Promise<boolean> {
  try {
    for (const each of fields.asked) await each.renew()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return changesOf(fields) > before
}
