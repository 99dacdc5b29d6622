/** Campaigns of the org. The API can neither create nor change them here. */
import type { OrgRecord } from './state.ts'

export const campaigns = [
  { id: '701000000000001AAA', name: 'Goa expo' },
  { id: '701000000000002AAA', name: 'Exporters 2026' },
]

export const campaignRecords = (): readonly OrgRecord[] =>
  campaigns.map(({ id, name }) => ({ id, object: 'Campaign', values: { Name: name, IsActive: true } }))
