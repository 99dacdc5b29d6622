import { summaryOperation } from './summary.ts'

export default summaryOperation('summarizeRecentGstRegistrations', '/api/recently-registered/gst/summary', 'gst')
