/** What a connector and the engine tell each other of many rows that go into a CRM as one job. */

/** Where a push lays down what it must know again should it end before its job in the CRM does. */
export interface PushPlace {
  /** What was kept for these very leads; null where nothing was. */
  readonly kept: unknown
  /** Committed once it resolves, under the fence of the delivery. Null: nothing is under way any more. */
  keep(value: Readonly<Record<string, unknown>> | null): Promise<void>
  /** Between two looks at the job. Throws where the push is to end here and go on later. */
  wait(ms: number): Promise<void>
}

/** The way of many rows at once, for CRMs that have one. */
export interface BulkWay {
  /** Most leads of one job. */
  readonly leadsMax: number
  /** True where so many due leads had better go as a job, at the quota that is left. May ask the CRM. */
  suits(due: number): Promise<boolean>
  /** Calls that a job of so many leads costs, about. */
  callsFor(leads: number): number
}
