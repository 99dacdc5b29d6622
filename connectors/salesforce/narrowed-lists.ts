/**
 * Values that a list has and that the org refused for a record all the same: its record type offers fewer than the field does, and no
 * describe tells which. For the rest of the session they are values that the list lacks.
 */
import type { CrmField, PushOutcome } from '../contract.ts'

export class NarrowedLists {
  /** By field, as outcomes name it. */
  readonly #refused = new Map<string, Set<string>>()
  #changes = 0

  /** How often one was met that was not known. */
  get changes(): number {
    return this.#changes
  }

  /** There is nobody to ask. */
  async renew(): Promise<void> {}

  /** @param sent the fields of the row that this came of. */
  note(outcome: PushOutcome | undefined, sent: Readonly<Record<string, unknown>>): void {
    if (outcome?.status !== 'rejected' || outcome.code !== 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST') return
    const value = outcome.field === null ? undefined : sent[outcome.field]
    if (outcome.field === null || typeof value !== 'string') return
    const refused = this.#refused.get(outcome.field) ?? new Set()
    if (refused.has(value)) return
    this.#refused.set(outcome.field, refused.add(value))
    this.#changes += 1
  }

  /** @param nameOf a field as outcomes name it. */
  narrow(fields: Map<string, CrmField>, nameOf: (field: string) => string = (field) => field): void {
    for (const [name, field] of fields) {
      const refused = this.#refused.get(nameOf(name))
      if (refused === undefined || field.allowed === null) continue
      fields.set(name, { ...field, allowed: field.allowed.filter((value) => !refused.has(value)) })
    }
  }
}
