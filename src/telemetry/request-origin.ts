/**
 * Which request work goes back to: its id is kept for the length of a call, goes with the jobs that the call enqueues and with
 * those that these enqueue, and stands in every line of the log that is written meanwhile.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestOrigin {
  readonly requestId: string
}

const storage = new AsyncLocalStorage<RequestOrigin>()

export const originNow = (): RequestOrigin | undefined => storage.getStore()
export const withOrigin = <T>(origin: RequestOrigin, work: () => T): T => storage.run(origin, work)
