/**
 * What a session knows of a CRM's fields is cached, but an administrator may change them during the session. Leads
 * that are refused because of a field are therefore pushed once more if the fields, read again, have changed; no lead
 * is rejected by outdated field definitions.
 */
import { AppError } from '../src/errors.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import { deferred } from './deferrals.ts'

export interface FieldsOfCrm {
  /** True for a refusal that changed fields, lengths, lists or rights would explain. */
  mayBeOfFields(refusal: Refusal): boolean
  /**
   * The cached answers, with how often each has changed in this session, whichever of the concurrent pushes renewed
   * it.
   */
  readonly answers: readonly { readonly changes: number; renew(): Promise<void> }[]
}

/** By item id. */
type Outcomes = ReadonlyMap<string, PushOutcome>

/** @throws AppError as `push` does, if nothing was written. */
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
    // A missing field makes the CRM refuse the whole call.
    const isOfFields = error instanceof AppError && error.code === 'DESTINATION_INVALID'
    if (!isOfFields || !(await haveChanged(fields, before))) throw error
    return push(leads)
  }
  const again = leads.filter(({ itemId }) => {
    const outcome = outcomes.get(itemId)
    return outcome?.status === 'rejected' && fields.mayBeOfFields(outcome)
  })
  if (again.length === 0 || !(await haveChanged(fields, before))) return outcomes
  // Other leads of the call are written, so nothing may be thrown from here on.
  const retried = await pushAsChanged(again, fields, push).catch((error: unknown) => {
    if (error instanceof AppError)
      return new Map<string, PushOutcome>(again.map(({ itemId }) => [itemId, deferred(error)]))
    throw error
  })
  return new Map([...outcomes, ...retried])
}

const changesOf = ({ answers }: FieldsOfCrm): number => answers.reduce((sum, { changes }) => sum + changes, 0)

/** If the CRM does not answer, nothing is known to have changed. */
async function haveChanged(fields: FieldsOfCrm, before: number): Promise<boolean> {
  try {
    for (const each of fields.answers) await each.renew()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return changesOf(fields) > before
}
