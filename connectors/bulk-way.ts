/** The interface between a connector and the engine for sending many rows as one bulk job. */

/** Where a push stores what it needs to resume, in case it ends before its job in the CRM does. */
export interface PushPlace {
  /** The state stored for exactly these leads; null if there is none. */
  readonly kept: unknown
  /** Committed once it resolves, under the fence of the delivery. null: no job is in progress any more. */
  keep(value: Readonly<Record<string, unknown>> | null): Promise<void>
  /** Waits between two checks of the job. Throws if the push is to end here and resume later. */
  wait(ms: number): Promise<void>
}

/** Bulk delivery, for CRMs that have a bulk API. */
export interface BulkWay {
  /** Most leads of one job. */
  readonly leadsMax: number
  /** True if this many due leads are better sent as a job, given the remaining quota. May call the CRM. */
  suits(due: number): Promise<boolean>
  /** Estimated calls for a job of this many leads. */
  callsFor(leads: number): number
}
