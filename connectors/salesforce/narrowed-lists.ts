/**
 * List values that the org refused for a record although the field has them: its record type offers fewer, which no
 * describe shows. For the rest of the session they are treated as missing from the list.
 */
import type { CrmField, PushOutcome } from '../contract.ts'

export class NarrowedLists {
  /** By field, as named in outcomes. */
  readonly #refused = new Map<string, Set<string>>()
  #changes = 0

  /** How often a new one was found. */
  get changes(): number {
    return this.#changes
  }

  /** There is no call that returns them. */
  async renew(): Promise<void> {}

  /** @param sent the row's fields for this outcome. */
  note(outcome: PushOutcome | undefined, sent: Readonly<Record<string, unknown>>): void {
    if (outcome?.status !== 'rejected' || outcome.code !== 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST') return
    const value = outcome.field === null ? undefined : sent[outcome.field]
    if (outcome.field === null || typeof value !== 'string') return
    const refused = this.#refused.get(outcome.field) ?? new Set()
    if (refused.has(value)) return
    this.#refused.set(outcome.field, refused.add(value))
    this.#changes += 1
  }

  /** @param nameOf a field's name in outcomes. */
  narrow(fields: Map<string, CrmField>, nameOf: (field: string) => string = (field) => field): void {
    for (const [name, field] of fields) {
      const refused = this.#refused.get(nameOf(name))
      if (refused === undefined || field.allowed === null) continue
      fields.set(name, { ...field, allowed: field.allowed.filter((value) => !refused.has(value)) })
    }
  }
}
