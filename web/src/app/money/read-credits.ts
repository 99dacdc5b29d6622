/** The credit entries: one page of them, or all as one CSV. */
import type { components } from '../../../../client/api-types.ts'
import { api, dataOf, type SortOf } from '../../wire/api.ts'

type Kind = components['schemas']['CreditEntry']['kind']

/** The type makes sure that none is missing. */
const kinds: Readonly<Record<Kind, true>> = {
  ...{ grant: true, revoke: true, spend: true, hold: true, subscribe: true, unsubscribe: true },
  ...{ refund: true, release: true, expire: true, reversal: true },
}
export const creditKinds = Object.keys(kinds) as Kind[]

export interface CreditFilter {
  readonly kind?: Kind
  readonly from?: string
  readonly to?: string
}

interface CreditPage extends CreditFilter {
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'listCreditEntries'>
  readonly until?: string
}

export async function readCredits(query: CreditPage) {
  const read = dataOf(await api.GET('/api/credits/ledger', { params: { query } }))
  // The document also declares CSV, which is not requested here.
  if (typeof read === 'string') throw new TypeError('the credits arrived as CSV')
  return read
}

const rowsOfPage = 1_000

/** Page after page, with the header on the first; entries booked in the meantime are left out. */
export async function creditsCsv(filter: CreditFilter): Promise<Blob> {
  const { data, total } = await readCredits({ ...filter, page: 1, limit: 1 })
  const until = data[0] && { until: data[0].at }
  const parts: string[] = []
  for (let page = 1; page <= Math.ceil(total / rowsOfPage); page++) {
    const query = { ...filter, ...until, page, limit: rowsOfPage, format: 'csv' } as const
    const text = String(dataOf(await api.GET('/api/credits/ledger', { params: { query }, parseAs: 'text' })))
    parts.push(page === 1 ? text : text.slice(text.indexOf('\r\n') + 2))
  }
  return new Blob(parts, { type: 'text/csv' })
}
