/** The feed of each register in one common shape. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Day } from '../../look/moment.tsx'
import { api, dataOf } from '../../wire/api.ts'
import type { ListedRecord, RecordType } from '../listed/record-table.tsx'

export interface Filter {
  readonly state?: string
  readonly from_date?: string
  readonly to_date?: string
}

interface PageOf extends Filter {
  readonly page: number
  readonly limit: number
}

interface Feed {
  readonly records: readonly ListedRecord[]
  readonly total: number
}

/** Cached once for everything that shows it. */
export const useSummary = (type: RecordType, filter: Filter) =>
  useQuery({
    queryKey: ['feed summary', type, filter],
    queryFn: () => readSummary(type, filter),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

async function readSummary(type: RecordType, query: Filter) {
  const params = { query }
  if (type === 'gst') return dataOf(await api.GET('/api/recently-registered/gst/summary', { params }))
  if (type === 'director') return dataOf(await api.GET('/api/recently-registered/directors/summary', { params }))
  return dataOf(await api.GET('/api/recently-registered/companies/summary', { params }))
}

export async function readFeed(type: RecordType, body: PageOf): Promise<Feed> {
  if (type === 'gst') {
    const { data, total } = dataOf(await api.POST('/api/recently-registered/gst', { body }))
    const records = data.map(({ GSTIN, TradeName, LegalName, state, Status, DateOfRegistration }) =>
      listed({ type, id: GSTIN, name: TradeName ?? LegalName ?? GSTIN, state, status: Status }, DateOfRegistration),
    )
    return { records, total }
  }
  if (type === 'director') {
    const { data, total } = dataOf(await api.POST('/api/recently-registered/directors', { body }))
    const records = data.map(({ DIN, fullName, state, DINStatus, DINApprovalDate }) =>
      listed({ type, id: DIN, name: fullName, state, status: DINStatus }, DINApprovalDate),
    )
    return { records, total }
  }
  const { data, total } = dataOf(await api.POST('/api/recently-registered/companies', { body }))
  const records = data.map(({ CIN, company, state, companyType, dateOfIncorporation }) =>
    listed({ type, id: CIN, name: company, state, status: companyType }, dateOfIncorporation),
  )
  return { records, total }
}

const listed = (record: Omit<ListedRecord, 'more'>, registeredOn: string | null): ListedRecord => ({
  ...record,
  more: <Day on={registeredOn} />,
})
