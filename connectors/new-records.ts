/**
 * Which leads are read before they are written. A lead that the ledger knows nothing of may be in the CRM all the same, written
 * by an earlier ledger; to read each of them would cost a call for every write of a first delivery. So the first ones are
 * read, and as long as none was there, the others are created unread: by a call that refuses what is there, and never by an
 * upsert. A refusal is read and decided like any known record, and from then on new records are read again.
 */
import type { OutgoingLead } from './contract.ts'

export class NewRecords {
  #areNew = false

  /** True for leads that may be created without a look. */
  mayBeCreated(leads: readonly OutgoingLead[]): boolean {
    return this.#areNew && leads.every(isNewRecord)
  }

  /** What a look at these leads showed. @param found external ids of records that are there. */
  note(leads: readonly OutgoingLead[], isThere: (lead: OutgoingLead) => boolean): void {
    const newRecords = leads.filter(isNewRecord)
    if (newRecords.length > 0) this.#areNew = !newRecords.some(isThere)
  }

  /** One was there. */
  met(): void {
    this.#areNew = false
  }
}

function isNewRecord({ lastPushed, crmId }: OutgoingLead): boolean {
  return lastPushed === null && crmId === null
}
