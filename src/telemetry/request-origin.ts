/**
 * The request that work originates from: its ID is kept for the length of a call, travels with the jobs that the call
 * enqueues and with those that these enqueue, and is in every log line of that time.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestOrigin {
  readonly requestId: string
}

const storage = new AsyncLocalStorage<RequestOrigin>()

export const originNow = (): RequestOrigin | undefined => storage.getStore()
export const withOrigin = <T>(origin: RequestOrigin, work: () => T): T => storage.run(origin, work)
