import example from './directors.example.json' with { type: 'json' }
import { feedOperation } from './feed.ts'
import { DirectorRecord } from './feed-records.ts'

export default feedOperation({
  id: 'listRecentDirectors',
  path: '/api/recently-registered/directors',
  dataset: 'director',
  record: DirectorRecord,
  example,
})
