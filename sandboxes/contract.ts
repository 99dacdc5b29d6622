/**
 * A sandbox is a local server that keeps state and speaks one vendor's wire format, limits and errors. Tests,
 * `npm start` and connector authors use it; the real SDKs drive it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'

/** A record as the sandbox stores it. */
export interface SandboxRecord {
  readonly id: string
  /** Lead, Contact, contacts, companies, … */
  readonly object: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface SandboxCall {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly at: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Applies to the next `times` calls that match; `after_commit` faults strike when the state is already written. */
export const SandboxFault = z.strictObject({
  kind: z.enum([
    'status',
    'rate_limit',
    'daily_limit',
    'timeout',
    'timeout_after_commit',
    'reset',
    'reset_after_commit',
    // The answer lacks its last row, lacks its first one, or has its rows in another order.
    'omit_rows',
    'omit_first_row',
    'shuffle_rows',
    'expire_token',
    // As a proxy does on the way: the call comes late, or twice, and what the second one heard is the answer.
    'delay',
    'duplicate',
    // Of a payment processor's notices, per act: all that it made happen.
    'webhook_lost',
    'webhook_twice',
    'webhook_reordered',
    'webhook_late',
    'webhook_altered',
  ]),
  /** Substring of "METHOD /path", or several between `|`. Every call when absent. */
  match: z.string().optional(),
  times: z.int().positive().optional(),
  /** For `status`. */
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** For `delay`: milliseconds, 200 unless said. */
  ms: z.int().min(1).max(60_000).optional(),
})
export type SandboxFault = z.infer<typeof SandboxFault>

export interface PendingFault {
  readonly fault: SandboxFault
  /** Calls that it will yet strike. */
  readonly left: number
}

/** What an administrator changes of a field; the records keep what they hold in it. Types are the vendor's own. */
export interface FieldChange {
  /** As programs call it. */
  readonly name?: string
  readonly label?: string
  readonly type?: string
  /** Longest text. */
  readonly length?: number
  /** No record without it. */
  readonly required?: boolean
  /** False where this user, or any program, only reads it. */
  readonly writable?: boolean
  /** True: it is read, and no question names records by it. */
  readonly encrypted?: boolean
  /** False where this user does not see it: for the user there is no such field. */
  readonly visible?: boolean
  /** No record is made without it, and what programs read of fields does not say so. */
  readonly requiredByLayout?: boolean
  /** The only values that it takes. */
  readonly values?: readonly string[]
}

export interface Sandbox {
  readonly crm: string
  /** Beginnings of paths that the vendor's clients take from the host's root, whatever the base address says. */
  readonly rootPaths?: readonly string[]
  /** True for one that takes payments instead of leads. */
  readonly takesPayments?: boolean
  /** Settings that `destination add` takes, given the address the server listens on; the server adds the sandbox_pass. */
  settings(baseUrl: string): Readonly<Record<string, unknown>>
  /** Handles a request whose path is relative to the sandbox's own base. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  records(): readonly SandboxRecord[]
  /** What a person changes in the CRM's own pages; the empty text clears a field. */
  edit(id: string, values: Readonly<Record<string, string>>): void
  /** What an administrator deletes: a field that was made in the CRM, of every object that has it, with all its values. */
  dropField?(name: string): void
  /** Of every object that has it; a CRM has what its vendor lets an administrator change. */
  changeField?(name: string, change: FieldChange): void
  /** What a person deletes in the CRM's own pages. */
  remove?(id: string): void
  /** Ids of the records in a list, a campaign or with a tag, by its id. */
  members?(list: string): readonly string[]
  /** Whom a person takes out of it. */
  leave?(list: string, id: string): void
  /** Two records that a person makes one of: the loser's go into the winner. @returns the id of what is left. */
  merge?(loser: string, winner: string): string
  calls(): readonly SandboxCall[]
  addFault(fault: SandboxFault): void
  /** Those that are still to strike, for sandboxes that can tell. */
  faults?(): readonly PendingFault[]
  /** Forgets them; what is held stays. */
  endFaults?(): void
  /** Where notices of what happened go, for those that send any. */
  notifyAt?(url: string): void
  /** Empties records, calls and faults; the credentials stay. */
  reset(): void
  /** The state as JSON, credentials included, so that a demo finds its records again after a restart. */
  snapshot?(): unknown
  /** Takes over what an earlier `snapshot` gave. */
  restore?(state: unknown): void
}
