import { z } from 'zod'
import { fetchBounds } from '../../../../config/input-bounds.ts'
import { identifyFile } from '../../../ingest/conduct/identify-file.ts'
import { takeUpload } from '../../../ingest/input/uploads.ts'
import { exampleIds } from '../../example-records.ts'
import { day, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

const IdentifiedUpload = z
  .object({
    source: z.string().nullable().describe('Whose header it has; null where it is none of them'),
    columns: z.number().describe('How many the header has'),
    partitions: z.array(z.string()).readonly().describe('Of the register, as the first rows spell them'),
    as_of: day('Day that it describes, by its name; else today'),
    as_of_from: z.enum(['name', 'today']),
  })
  .meta({ id: 'IdentifiedUpload' })

export default operation({
  id: 'identifyUpload',
  method: 'GET',
  path: '/admin/ingest/uploads/:upload_id',
  tag: 'Operations',
  summary: 'What an uploaded file looks like',
  description: 'By its header, its first rows and its name. Nothing is ingested.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  errors: ['SOURCE_UNREADABLE', 'SOURCE_CORRUPT', 'PARSER_STOPPED'],
  params: z.object({ upload_id: uuid('Of the upload').meta({ examples: [exampleIds.upload] }) }),
  reply: { 200: IdentifiedUpload },
  example: {
    ...{ source: 'mca-companies', columns: 17, partitions: ['ROC Goa'] },
    ...{ as_of: '2026-04-01', as_of_from: 'name' as const },
  },
  handle:
    ({ db, intake: { dataDir, fileBytesMax } }) =>
    async ({ params }) => {
      const path = await takeUpload(dataDir, params.upload_id)
      return identifyFile(db, path, { ...fetchBounds, fileBytesMax })
    },
})
