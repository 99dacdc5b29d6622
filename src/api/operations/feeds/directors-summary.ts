import { summaryOperation } from './summary.ts'

export default summaryOperation('summarizeRecentDirectors', '/api/recently-registered/directors/summary', 'director')
