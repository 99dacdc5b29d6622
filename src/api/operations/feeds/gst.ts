import { feedOperation } from './feed.ts'
import { GstRecord } from './feed-records.ts'
import example from './gst.example.json' with { type: 'json' }

export default feedOperation({
  id: 'listRecentGstRegistrations',
  path: '/api/recently-registered/gst',
  dataset: 'gst',
  record: GstRecord,
  example,
})
