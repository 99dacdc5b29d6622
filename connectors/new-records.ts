/**
 * Which leads are read before they are written. A lead that the ledger does not know may exist in the CRM all the
 * same, written by an earlier ledger, but reading each of them would cost a call per write of a first delivery. So
 * the first ones are read, and as long as none exists, the others are created unread: by a call that refuses existing
 * records, never by an upsert. A refused one is read and decided like any known record, and from then on new records
 * are read again.
 */
import type { OutgoingLead } from './contract.ts'

export class NewRecords {
  #areNew = false

  /** True for leads that may be created without reading. */
  mayBeCreated(leads: readonly OutgoingLead[]): boolean {
    return this.#areNew && leads.every(isNewRecord)
  }

  /** The result of reading these leads. */
  note(leads: readonly OutgoingLead[], isThere: (lead: OutgoingLead) => boolean): void {
    const newRecords = leads.filter(isNewRecord)
    if (newRecords.length > 0) this.#areNew = !newRecords.some(isThere)
  }

  /** A record to be created already existed. */
  met(): void {
    this.#areNew = false
  }
}

function isNewRecord({ lastPushed, crmId }: OutgoingLead): boolean {
  return lastPushed === null && crmId === null
}
