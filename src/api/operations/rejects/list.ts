import { z } from 'zod'
import { readRejectPage, rejectCodeNames, rejectSorts } from '../../../ingest/conduct/read-rejects.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { paging, sorting } from '../../parameters.ts'
import { RunPath, runIdOf } from '../runs/run-schemas.ts'
import { code } from './reject-schemas.ts'

const count = z.number()
const Reject = z
  .object({
    line: count.describe('First line of the record in the file; the header is line 1'),
    code: z.enum(rejectCodeNames),
    message: z.string(),
    raw: z.string().describe('Text in the file; its first 4,000 characters'),
    raw_characters: count.describe('Its full length'),
    cells: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe(
        'By the columns of the header; null where the cells cannot be separated, or the text is longer than shown',
      ),
  })
  .meta({ id: 'Reject' })
const RejectPage = z
  .object({
    data: z.array(Reject),
    header: z.array(z.string()).readonly().describe('Columns of the file'),
    rejected: count.describe('Rows that the run rejected; where there are very many, only the first are kept'),
    total: count.describe('Kept rows that match the filters'),
    page: count,
    limit: count,
  })
  .meta({ id: 'RejectPage' })

export default operation({
  id: 'listRejects',
  method: 'GET',
  path: '/admin/ingest/runs/:id/rejects',
  summary: 'List the rows that a run rejected',
  description:
    'In the order of the file unless sorted, with line, code, message, the raw text, and the cells by the columns of the header.',
  caller: { role: 'viewer' },
  audit: { reads: 'rejects' },
  params: RunPath,
  query: z.object({ code, ...sorting(rejectSorts), ...paging(500) }),
  reply: { 200: RejectPage },
  example: {
    data: [
      {
        line: 7,
        code: 'cin_malformed',
        message: '"U74999GA2019PTCOOO007" (CIN) is no CIN, LLPIN, FLLPIN or FCRN.',
        raw: 'U74999GA2019PTCOOO007,MANDOVI EXPORTS PRIVATE LIMITED,Active',
        raw_characters: 60,
        cells: ['U74999GA2019PTCOOO007', 'MANDOVI EXPORTS PRIVATE LIMITED', 'Active'],
      },
    ],
    header: ['CIN', 'CompanyName', 'CompanyStatus'],
    rejected: 1,
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, request) => {
    const runId = runIdOf(request.params.id)
    const { page, limit } = request.query
    const { rejects, total, header, rejected } = await readRejectPage(db, { runId, ...request.query })
    addReadings(request, { identifiers: [`run ${runId}`] })
    return { data: rejects, header, rejected, total, page, limit }
  },
})
