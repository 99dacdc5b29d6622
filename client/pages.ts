/** Iterates over all records of a list; each page is requested when the previous one is used up. */
import type { Client } from 'openapi-fetch'
import { type Answer, dataOf } from './api-error.ts'
import type { paths } from './api-types.ts'

interface Page<T> {
  readonly data: readonly T[]
  readonly total: number
  readonly limit: number
}

/** `for await (const order of everyRecord((page) => panji.GET('/api/orders', { params: { query: { page } } })))` */
export async function* everyRecord<T>(read: (page: number) => Promise<Answer<Page<T>>>): AsyncGenerator<T, void> {
  for (let page = 1; ; page++) {
    const { data, total, limit } = dataOf(await read(page))
    yield* data
    if (data.length === 0 || page * limit >= total) return
  }
}

type Search = NonNullable<paths['/api/screener/search']['post']['requestBody']>['content']['application/json']
type Hits = paths['/api/screener/search']['post']['responses'][200]['content']['application/json']['results']

/**
 * Iterates over all hits of a screener query by cursor, so without the limit on page × limit; each page is one
 * search.
 */
export async function* everyHit(
  panji: Pick<Client<paths>, 'POST'>,
  search: Pick<Search, 'query' | 'type' | 'limit'>,
): AsyncGenerator<Hits[number], void> {
  let cursor: string | null | undefined
  do {
    const body = { limit: 100, ...search, ...(cursor ? { cursor } : {}) }
    const page = dataOf(await panji.POST('/api/screener/search', { body }))
    yield* page.results
    cursor = page.next_cursor
  } while (cursor !== null)
}
