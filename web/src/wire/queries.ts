/**
 * The one cache of reads. A read is retried where that can help, never after a refusal. Writes are never repeated
 * automatically; after one, everything shown is read again.
 */
import { type FetchQueryOptions, type Query, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { PanjiApiError } from '../../../client/api-error.ts'
import { isUnanswered } from './answers.ts'
import { onSessionOver } from './csrf.ts'
import { type Session, whoseIs } from './session.ts'

const triesMax = 3
/** A longer wait is reported at once. */
const waitSecondsMax = 10

const waitOf = (failure: unknown): number | undefined =>
  failure instanceof PanjiApiError ? failure.retryAfterSeconds : undefined

const canPass = (failure: unknown) =>
  !(failure instanceof PanjiApiError) ||
  ((failure.status >= 500 || failure.status === 429) && (waitOf(failure) ?? 0) <= waitSecondsMax)

/**
 * Without a network a call is made and fails visibly. One that waited for the network would say nothing, and a write
 * could happen after its dialog was closed.
 */
const networkMode = 'always'

const askAgainMs = 5_000
let asksAgain = false

/** Reads that Panji did not answer, as during a restart, are repeated until it does; nobody has to press a button. */
function askAgain(failure: unknown): void {
  if (asksAgain || !isUnanswered(failure)) return
  asksAgain = true
  setTimeout(() => {
    asksAgain = false
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isUnanswered(state.error) })
  }, askAgainMs)
}

/** Data that no longer exists is not shown next to the error that says so, nor can it be acted on. */
function drop(failure: unknown, query: Query<unknown, unknown, unknown>): void {
  if (failure instanceof PanjiApiError && failure.status === 404) query.setState({ data: undefined })
}

export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (failure, query) => {
      askAgain(failure)
      drop(failure, query)
    },
  }),
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (tried, failure) => tried < triesMax && canPass(failure),
      retryDelay: (tried, failure) => (waitOf(failure) ?? 2 ** tried) * 1000,
    },
  },
})

export const sessionKey = ['session'] as const

/** For reads that no write of this page changes, or that count against the daily limit: they are not refetched. */
export const fixed = { fixed: true } as const

/** For reads that count against the daily limit: going back to them, or to the window, does not repeat them. */
export const metered = { staleTime: 600_000, refetchOnWindowFocus: false } as const

export const isReadAnew = ({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>): boolean =>
  queryKey[0] !== sessionKey[0] && meta?.['fixed'] !== true

/** By these times a worker has picked up what was requested; pages that poll slowly show it by then, too. */
const afterAcceptedMs = [1_000, 3_000, 10_000]

/** An accepted write (202) is executed after its response, so a read directly after it may be too early. */
export function readAnewAsDone(): void {
  for (const ms of afterAcceptedMs) {
    setTimeout(() => void queries.invalidateQueries({ predicate: isReadAnew }), ms)
  }
}

/** Reads the current state, whatever is cached. */
export const readAgain = <T, K extends QueryKey>(of: FetchQueryOptions<T, Error, T, K>): Promise<T> =>
  queries.fetchQuery({ ...of, staleTime: 0 })

/** The person or account whose session ended while the pages were open. */
let former: Session | undefined

export const formerSession = (): Session | undefined => former

/** Signing in again as the same person keeps the pages; for another one the cache is cleared. */
export function beginSession(session: Session): void {
  const isReturn = former && whoseIs(former) === whoseIs(session)
  if (!isReturn) forgetSession()
  former = undefined
  queries.setQueryData(sessionKey, session)
  if (isReturn) void queries.invalidateQueries({ predicate: isReadAnew })
}

/**
 * Removes all cached reads. The session is set to null and not removed, since observers of a removed query are no
 * longer notified.
 */
export function forgetSession(): void {
  former = undefined
  queries.setQueryData(sessionKey, null)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

// Cached reads stay below the sign-in page: most often the same person signs in again.
onSessionOver(() => {
  former = queries.getQueryData<Session>(sessionKey) ?? former
  queries.setQueryData(sessionKey, null)
})
