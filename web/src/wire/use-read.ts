/** Reads of the API, cached under their keys: see queries.ts. */
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type Answer, dataOf } from '../../../client/api-error.ts'

type Key = readonly unknown[]
type Options<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>

export const useRead = <T>(queryKey: Key, ask: () => Promise<Answer<T>>, options: Options<T> = {}) =>
  useQuery({ ...options, queryKey, queryFn: async () => dataOf(await ask()) })

/** One page of a list: the page before stays until this one is there. */
export const useReadPage = <T>(queryKey: Key, ask: () => Promise<Answer<T>>, options: Options<T> = {}) =>
  useRead(queryKey, ask, { ...options, placeholderData: keepPreviousData })
