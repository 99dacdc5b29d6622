/**
 * The one cache of what was read. A read is tried again where that can help: never after a refusal. An act is never
 * repeated automatically; when it has happened, everything that is shown is read anew.
 */
import { type FetchQueryOptions, type Query, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { PanjiApiError } from '../../../client/api-error.ts'
import { isUnanswered } from './answers.ts'
import { onSessionOver } from './csrf.ts'
import { type Session, whoseIs } from './session.ts'

const triesMax = 3
/** Who has to wait longer is told so at once. */
const waitSecondsMax = 10

const waitOf = (failure: unknown): number | undefined =>
  failure instanceof PanjiApiError ? failure.retryAfterSeconds : undefined

const canPass = (failure: unknown) =>
  !(failure instanceof PanjiApiError) ||
  ((failure.status >= 500 || failure.status === 429) && (waitOf(failure) ?? 0) <= waitSecondsMax)

/**
 * Without a network a call is made and fails, which is said. One that waited for the network instead would say nothing, and an act
 * would happen after its dialog was closed.
 */
const networkMode = 'always'

const askAgainMs = 5_000
let asksAgain = false

/** What Panji did not answer, as while it is started again, is asked for until it does; nobody has to press for that. */
function askAgain(failure: unknown): void {
  if (asksAgain || !isUnanswered(failure)) return
  asksAgain = true
  setTimeout(() => {
    asksAgain = false
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isUnanswered(state.error) })
  }, askAgainMs)
}

/** What was there and is not any more is not shown beside the sentence that says so, nor can anything be done with it. */
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

/** Of a read that no act of this page changes, or that is counted against the account's day: it is not read anew. */
export const fixed = { fixed: true } as const

export const isReadAnew = ({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>): boolean =>
  queryKey[0] !== sessionKey[0] && meta?.['fixed'] !== true

/** By these times a worker that is there has taken up what it was asked for; a page that asks seldom shows it by then, too. */
const afterAcceptedMs = [1_000, 3_000, 10_000]

/** What was accepted (202) is done after its answer, and what the act reads anew may be of before. */
export function readAnewAsDone(): void {
  for (const ms of afterAcceptedMs) {
    setTimeout(() => void queries.invalidateQueries({ predicate: isReadAnew }), ms)
  }
}

/** As it is now, whatever was read before. */
export const readAgain = <T, K extends QueryKey>(of: FetchQueryOptions<T, Error, T, K>): Promise<T> =>
  queries.fetchQuery({ ...of, staleTime: 0 })

/** Whose session ended while the pages were open. */
let former: Session | undefined

export const formerSession = (): Session | undefined => former

/** Whoever signs in anew finds the pages as they were; of another's nothing stays. */
export function beginSession(session: Session): void {
  const isReturn = former && whoseIs(former) === whoseIs(session)
  if (!isReturn) forgetSession()
  former = undefined
  queries.setQueryData(sessionKey, session)
  if (isReturn) void queries.invalidateQueries({ predicate: isReadAnew })
}

/** Nothing that was read stays. The session itself is kept, as none: who looks at a query that is removed hears of nothing any more. */
export function forgetSession(): void {
  former = undefined
  queries.setQueryData(sessionKey, null)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

// What was read stays below the door: most often the same person signs in again.
onSessionOver(() => {
  former = queries.getQueryData<Session>(sessionKey) ?? former
  queries.setQueryData(sessionKey, null)
})
