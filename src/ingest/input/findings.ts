/** What the conversion of a file to CSV found besides the rows, for the run's report and rejects. */
import type { RejectCode } from '../run/reject-codes.ts'

export interface FoundReject {
  readonly line: number
  readonly code: RejectCode
  readonly message: string
  readonly raw: string
}

export class Findings {
  readonly repaired = new Map<string, number>()
  /** False if we made the header and it is not a line of the file. */
  headerIsLine = true
  /** Total records of the list that this file is a page of, as it states; 0 if it does not. */
  listed = 0
  #rejects: FoundReject[] = []

  repair(kind: string): void {
    this.repaired.set(kind, (this.repaired.get(kind) ?? 0) + 1)
  }

  noteListed(records: number): void {
    if (Number.isSafeInteger(records)) this.listed = Math.max(this.listed, records)
  }

  reject(found: FoundReject): void {
    this.#rejects.push(found)
  }

  /** Each reject is returned once. */
  takeRejects(): readonly FoundReject[] {
    const taken = this.#rejects
    this.#rejects = []
    return taken
  }
}
