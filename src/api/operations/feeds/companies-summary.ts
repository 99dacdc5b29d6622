import { summaryOperation } from './summary.ts'

export default summaryOperation('summarizeRecentCompanies', '/api/recently-registered/companies/summary', 'company')
