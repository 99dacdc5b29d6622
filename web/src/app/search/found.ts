/** A search and its exact count; hits of both registers in one shape. */
import type { paths } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'
import type { Kind } from './language.ts'

export interface Hit {
  readonly type: Kind
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly status: string | null
  readonly more: string
}

export async function search(query: string, type: Kind, page: number, limit: number) {
  const { results, total, notice } = dataOf(
    await api.POST('/api/screener/search', { body: { query, type, page, limit } }),
  )
  return { hits: results.map(hitOf), total, notice }
}

type Found = paths['/api/screener/search']['post']['responses'][200]['content']['application/json']

function hitOf(result: Found['results'][number]): Hit {
  if ('CIN' in result) {
    const { CIN, companyName, State, City, llpStatus } = result
    return { type: 'company', id: CIN, name: companyName, state: State, status: llpStatus, more: City ?? '' }
  }
  const { GSTIN, TradeName, state, Status, TaxpayerType } = result
  return { type: 'gst', id: GSTIN, name: TradeName ?? GSTIN, state, status: Status, more: TaxpayerType ?? '' }
}
