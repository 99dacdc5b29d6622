/**
 * A sandbox is a local server that keeps state and speaks one vendor's wire format, limits and errors. Tests,
 * `npm start` and connector authors use it; the real SDKs drive it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

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
export interface SandboxFault {
  readonly kind:
    | 'status'
    | 'rate_limit'
    | 'daily_limit'
    | 'timeout'
    | 'timeout_after_commit'
    | 'reset'
    | 'reset_after_commit'
    | 'omit_rows'
    | 'expire_token'
  /** Substring of "METHOD /path". Every call when absent. */
  readonly match?: string
  readonly times?: number
  /** For `status`. */
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Sandbox {
  readonly crm: string
  /** Settings that `destination add` takes, given the address the server listens on. */
  settings(baseUrl: string): Readonly<Record<string, unknown>>
  /** Handles a request whose path is relative to the sandbox's own base. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  records(): readonly SandboxRecord[]
  calls(): readonly SandboxCall[]
  addFault(fault: SandboxFault): void
  reset(): void
  /** The state as JSON, so that a demo finds its records again after a restart. */
  snapshot?(): unknown
  /** Takes over what an earlier `snapshot` gave. */
  restore?(state: unknown): void
}
