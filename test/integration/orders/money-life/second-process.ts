/** Does deeds in a process of its own, one at a time, when its parent says which, and answers how each ended. */
import { openDb } from '../../../../src/db/db.ts'
import type { Deed } from './deeds.ts'
import { perform } from './perform.ts'

const [connectionString = '', settings = '{}'] = process.argv.slice(2)
const db = openDb({
  connectionString,
  applicationName: 'panji-test-life',
  connectionsMax: 2,
  settings: JSON.parse(settings) as Record<string, string>,
})

process.on('message', ({ accountId, deed }: { accountId: string; deed: Deed }) => {
  perform(db, accountId, deed).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => void db.close())
