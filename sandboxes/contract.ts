/**
 * A sandbox is a stateful local server with one vendor's wire format, limits and errors. Tests, `npm start` and
 * connector authors use it; the real SDKs work with it.
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

/** Applies to the next `times` matching calls; `after_commit` faults occur after the state is written. */
export const SandboxFault = z.strictObject({
  kind: z.enum([
    'status',
    'rate_limit',
    'daily_limit',
    'timeout',
    'timeout_after_commit',
    'reset',
    'reset_after_commit',
    // The reply lacks its last row, lacks its first one, or has its rows in another order.
    'omit_rows',
    'omit_first_row',
    'shuffle_rows',
    'expire_token',
    // As a proxy on the way might do: the call arrives late, or twice, and the second reply is returned.
    'delay',
    'duplicate',
    // For a payment processor's notices, per act: affects all notices of the act.
    'webhook_lost',
    'webhook_twice',
    'webhook_reordered',
    'webhook_late',
    'webhook_altered',
  ]),
  /** Substring of "METHOD /path", or several separated by `|`. Absent: every call. */
  match: z.string().optional(),
  times: z.int().positive().optional(),
  /** For `status`. */
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** For `delay`: milliseconds; default 200. */
  ms: z.int().min(1).max(60_000).optional(),
})
export type SandboxFault = z.infer<typeof SandboxFault>

export interface PendingFault {
  readonly fault: SandboxFault
  /** Number of calls that it still affects. */
  readonly left: number
}

/** An administrator's change of a field; records keep their values. Types are the vendor's own. */
export interface FieldChange {
  /** The name used by programs. */
  readonly name?: string
  readonly label?: string
  readonly type?: string
  /** Maximum length of a text. */
  readonly length?: number
  /** Required in every record. */
  readonly required?: boolean
  /** False if this user, or any program, can only read it. */
  readonly writable?: boolean
  /** True if it can be read but not queried by. */
  readonly encrypted?: boolean
  /** False if this user does not see the field. */
  readonly visible?: boolean
  /** Required to create a record, which the field list does not show. */
  readonly requiredByLayout?: boolean
  /** The only accepted values. */
  readonly values?: readonly string[]
  /** What pages show for a value, where that differs. */
  readonly shownAs?: Readonly<Record<string, string>>
  /** Values that the field list still shows, and that are accepted no longer; together with `values`. */
  readonly unusedValues?: readonly string[]
}

export interface Sandbox {
  readonly crm: string
  /** Path prefixes that the vendor's clients send to the host's root, whatever the base address. */
  readonly rootPaths?: readonly string[]
  /** True for a payment processor. */
  readonly takesPayments?: boolean
  /** Settings for `destination add`, given the server's address; the server adds the sandbox_pass. */
  settings(baseUrl: string): Readonly<Record<string, unknown>>
  /** Handles a request whose path is relative to the sandbox's own base. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  records(): readonly SandboxRecord[]
  /** An edit by a user in the CRM's own pages; the empty text clears a field. */
  edit(id: string, values: Readonly<Record<string, string>>): void
  /** An administrator deletes a custom field from every object, with all its values. */
  dropField?(name: string): void
  /** For every object that has the field; a CRM supports the changes that its vendor allows an administrator. */
  changeField?(name: string, change: FieldChange): void
  /** A user deletes a record in the CRM's own pages. */
  remove?(id: string): void
  /** Ids of the records in a list, in a campaign or with a tag, by its id. */
  members?(list: string): readonly string[]
  /** A user removes a member. */
  leave?(list: string, id: string): void
  /** A user merges two records: the loser's values go into the winner. @returns the id of the remaining record. */
  merge?(loser: string, winner: string): string
  calls(): readonly SandboxCall[]
  addFault(fault: SandboxFault): void
  /** Faults that are still active, if the sandbox supports it. */
  faults?(): readonly PendingFault[]
  /** Removes all faults; the records stay. */
  endFaults?(): void
  /** Where to send notices, for sandboxes that send any. */
  notifyAt?(url: string): void
  /** Clears records, calls and faults; the credentials stay. */
  reset(): void
  /** The state as JSON, credentials included, so that a demo finds its records again after a restart. */
  snapshot?(): unknown
  /** Restores the state from an earlier `snapshot`. */
  restore?(state: unknown): void
}
