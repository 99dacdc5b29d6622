/** A search with its exact count; hits of both registers in one shape. */
import type { paths } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'
import type { ListedRecord } from '../listed/record-table.tsx'
import type { Kind } from './language.ts'

type Search = paths['/api/screener/search']['post']
type Answer = Search['responses'][200]['content']['application/json']
type Sort = NonNullable<Search['requestBody']['content']['application/json']['sort']>
export type Shown = NonNullable<Answer['shown']>[number]

export interface Hit extends ListedRecord {
  readonly type: Kind
  readonly shown: Shown
}

export interface View {
  /** Fields besides the name and the contacts. */
  readonly columns: readonly string[]
  readonly sort?: Sort | undefined
}

/** The fields that every row needs for its marks. */
const marks = ['has_mobile', 'has_email', 'has_website', 'owned'] as const

/** @param signal aborts the search when its results are no longer wanted, which frees its slot for the next. */
export async function search(
  query: string,
  type: Kind,
  page: number,
  limit: number,
  view: View = { columns: [] },
  signal?: AbortSignal,
) {
  const show = [...new Set([...view.columns, ...marks])]
  const body = { query, type, page, limit, show, ...(view.sort && { sort: view.sort }) }
  const {
    results,
    total,
    notice,
    shown = [],
  } = dataOf(await api.POST('/api/screener/search', { body, ...(signal && { signal }) }))
  return { hits: results.map((result, index) => hitOf(result, shown[index] ?? {})), total, notice }
}

const pageMax = 100
/** The maximum of one order, and of one file. */
export const togetherMax = 1000

/** The first matches, page after page. @param progress is called with the number received so far. */
export async function searchAll(
  query: string,
  type: Kind,
  view: View,
  progress: (come: number) => void,
): Promise<Hit[]> {
  const all: Hit[] = []
  for (let page = 1; page <= togetherMax / pageMax; page++) {
    const { hits, total } = await search(query, type, page, pageMax, view)
    all.push(...hits)
    progress(all.length)
    if (page * pageMax >= total) break
  }
  return all
}

function hitOf(result: Answer['results'][number], shown: Shown): Hit {
  const [hasMobile, hasEmail, hasWebsite, owned] = marks.map((mark) => shown[mark] === true)
  const common = {
    shown,
    reach: { mobile: hasMobile === true, email: hasEmail === true, website: hasWebsite === true },
    owned: owned === true,
  }
  if ('CIN' in result) {
    const { CIN, companyName, State, City, llpStatus } = result
    return { type: 'company', id: CIN, name: companyName, state: State, status: llpStatus, more: City ?? '', ...common }
  }
  const { GSTIN, TradeName, state, Status, TaxpayerType } = result
  return {
    type: 'gst',
    id: GSTIN,
    name: TradeName ?? GSTIN,
    state,
    status: Status,
    more: TaxpayerType ?? '',
    ...common,
  }
}
