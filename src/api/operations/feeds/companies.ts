import example from './companies.example.json' with { type: 'json' }
import { feedOperation } from './feed.ts'
import { CompanyRecord } from './feed-records.ts'

export default feedOperation({
  id: 'listRecentCompanies',
  path: '/api/recently-registered/companies',
  dataset: 'company',
  record: CompanyRecord,
  example,
})
