/**
 * The one cache of what was read. A read is tried again where that can help: never after a refusal. An act is never
 * repeated automatically; when it has happened, everything that is shown is read anew.
 */
import { type Query, QueryClient } from '@tanstack/react-query'
import { PanjiApiError } from '../../../client/api-error.ts'
import { onSessionOver } from './csrf.ts'

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

export const queries = new QueryClient({
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

/** Nothing that was read stays. The session itself is kept, as none: who looks at a query that is removed hears of nothing any more. */
export function forgetSession(): void {
  queries.setQueryData(sessionKey, null)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

// Who signs in next may be of another account.
onSessionOver(forgetSession)
