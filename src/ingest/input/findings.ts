/** What turning a file into CSV found out beside the rows; stage takes it into the run's report and rejects. */
import type { RejectCode } from '../run/reject-codes.ts'

export interface FoundReject {
  readonly line: number
  readonly code: RejectCode
  readonly message: string
  readonly raw: string
}

export class Findings {
  readonly repaired = new Map<string, number>()
  /** False where the header was made by us and is no line of the file. */
  headerIsLine = true
  /** Records that the list has of which this is a page, by what it says of itself; 0 where it says nothing. */
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

  /** Each reject is handed out once. */
  takeRejects(): readonly FoundReject[] {
    const taken = this.#rejects
    this.#rejects = []
    return taken
  }
}
