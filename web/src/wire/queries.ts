/**
 * The one cache of what was read. A read is tried again where that can help: never after a refusal. An act is never
 * repeated by itself; when it has happened, everything that is shown is read anew.
 */
import { QueryClient } from '@tanstack/react-query'
import { PanjiApiError } from '../../../client/api-error.ts'
import { onSessionOver } from './csrf.ts'

const triesMax = 3
const canPass = (failure: unknown) =>
  !(failure instanceof PanjiApiError) || failure.status >= 500 || failure.status === 429

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (tried, failure) => tried < triesMax && canPass(failure),
    },
  },
})

export const sessionKey = ['session'] as const

onSessionOver(() => queries.setQueryData(sessionKey, null))
