/** What a plan says of a lead, the same for every CRM. */
import type { FieldChange, PlannedAction, Refusal } from './contract.ts'

/** What a push would do with a lead. @param crm as people call it. */
export function plannedAction(
  crm: string,
  {
    refusal,
    fate,
    changes,
    held,
  }: {
    readonly refusal: Refusal | null | undefined
    /** Of a lead whose record is gone, or stands for another. */
    readonly fate: PlannedAction | undefined
    /** undefined where there is no record. */
    readonly changes: readonly FieldChange[] | undefined
    /** Fields that somebody's edit keeps newer values out of. */
    readonly held: readonly string[]
  },
): PlannedAction {
  if (refusal) return { action: 'reject', ...refusal }
  if (changes === undefined) return fate ?? { action: 'create' }
  if (changes.length > 0) return { action: 'update', changes }
  if (held.length === 0) return { action: 'unchanged' }
  return { action: 'conflict', reason: `edited in ${crm}: ${held.join(', ')}` }
}
