/** What schedules import: the inputs of one source take turns. */
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { fetchSourceJob } from '../../../jobs/fetch-source.ts'
import { discardRun } from '../../../src/ingest/conduct/approval.ts'
import { type KeptInput, keepInput } from '../../../src/ingest/run/source-address.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { testSecretKey, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { folder, queue } = useIngest(database)
const source = 'mca-companies'
beforeEach(() => emptyRegisters(database.db))

const fetchSource = fetchSourceJob({ bounds: {}, dataDir: folder, secretKey: testSecretKey })
const slot = (input: KeptInput) =>
  fetchSource.handle(
    { source, ...input },
    {
      db: database.db,
      queue,
      log: pino({ level: 'silent' }),
      signal: new AbortController().signal,
      attempt: 0,
    },
  )
const requested = async (input: KeptInput) => ((await slot(input)) as { readonly runId: number }).runId

test.each([
  ['another address', 'https://example.in/goa.csv', 'https://example.in/kerala.csv'],
  ['an address with another query', 'https://example.in/list.csv?of=goa', 'https://example.in/list.csv?of=kerala'],
])(
  'a slot waits while %s of its source is imported, and is skipped while its own is, or an import needs approval',
  async (_, one, other) => {
    const [goa, kerala] = [keepInput(one, testSecretKey), keepInput(other, testSecretKey)]
    const first = await requested(goa)
    await expect(slot(kerala)).rejects.toMatchObject({
      code: 'RUN_IN_PROGRESS',
      message: expect.stringContaining(`${first}`),
      retry: { afterMs: expect.any(Number) },
    })
    expect(await slot(goa)).toEqual({ skipped: true, openRunId: first })
    await database.db.execute(`UPDATE ingest.run SET status = 'needs_approval'`)
    expect(await slot(kerala)).toEqual({ skipped: true, openRunId: first })
    await discardRun(database.db, first)
    expect(await requested(kerala)).toBeGreaterThan(first)
  },
)
