import { z } from 'zod'
import { sources } from '../../../../config/sources/index.ts'
import { readQuality } from '../../../ingest/conduct/quality.ts'
import { day, timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'

const count = z.number()
const counts = z.record(z.string(), z.number())
const RunQuality = z
  .object({
    run_id: count,
    source: z.string(),
    status: z.string(),
    as_of: day('Day that the snapshot describes, YYYY-MM-DD'),
    finished_at: timestamp().nullable(),
    rows_read: count,
    inserted: count,
    updated: count,
    unchanged: count,
    skipped: count,
    closed: count,
    rejected: count,
    rejects: counts.describe('Rows by reject code'),
    checked: count.describe('Records that were checked; the members below cover only these'),
    repaired: counts.describe('Values by kind of repair'),
    unknown_words: counts.describe('Rows by column whose value is in no vocabulary'),
    empty_shares: counts.describe('Share of the checked records without a value, by column that the header covers'),
    districts_resolved: z.number().nullable().describe('Share of the checked records whose district is known'),
    header_drift: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Columns renamed, added and removed since the previous run'),
  })
  .meta({ id: 'RunQuality' })

export default operation({
  id: 'listIngestQuality',
  method: 'GET',
  path: '/admin/quality',
  summary: 'List the data quality of a source, run by run',
  description: 'Newest run first, including waiting and discarded runs.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  query: z.object({
    source: z
      .enum(sources.map(({ name }) => name) as [string, ...string[]])
      .meta({ description: 'Source', examples: ['mca-companies'] }),
    limit: z.coerce.number().int().min(1).max(500).default(50).describe('Most runs'),
  }),
  reply: { 200: z.object({ data: z.array(RunQuality) }) },
  example: {
    data: [
      {
        run_id: 3,
        source: 'mca-companies',
        status: 'succeeded',
        as_of: '2026-11-01',
        finished_at: '2026-11-02T21:04:12.310Z',
        rows_read: 412,
        inserted: 8,
        updated: 31,
        unchanged: 371,
        skipped: 0,
        closed: 1,
        rejected: 2,
        rejects: { cin_malformed: 2 },
        checked: 410,
        repaired: { mojibake: 3 },
        unknown_words: { status: 1 },
        empty_shares: { email: 0.12 },
        districts_resolved: 0.99,
        header_drift: null,
      },
    ],
  },
  handle: async ({ db }, { query }) => {
    const runs = await readQuality(db, query.source, query.limit)
    return {
      data: runs.map(({ finished_at, header_drift, ...run }) => ({
        ...run,
        finished_at: finished_at?.toISOString() ?? null,
        header_drift: header_drift && { ...header_drift },
      })),
    }
  },
})
