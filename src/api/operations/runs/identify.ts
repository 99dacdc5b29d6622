import { z } from 'zod'
import { fetchBounds } from '../../../../config/input-bounds.ts'
import { identifyFile } from '../../../ingest/conduct/identify-file.ts'
import { takeUpload } from '../../../ingest/input/uploads.ts'
import { exampleIds } from '../../example-records.ts'
import { day, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

const IdentifiedUpload = z
  .object({
    source: z.string().nullable().describe('Source whose header it has; null if none matches'),
    columns: z.number().describe('Number of columns in the header'),
    partitions: z.array(z.string()).readonly().describe('Partitions of the register, as the first rows spell them'),
    as_of: day('Day in its name, otherwise today'),
    as_of_from: z.enum(['name', 'today']),
  })
  .meta({ id: 'IdentifiedUpload' })

export default operation({
  id: 'identifyUpload',
  method: 'GET',
  path: '/admin/ingest/uploads/:upload_id',
  summary: 'Identify an uploaded file',
  description: 'From its header, its first rows and its name. Nothing is ingested.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  errors: ['SOURCE_UNREADABLE', 'SOURCE_CORRUPT', 'PARSER_STOPPED'],
  params: z.object({ upload_id: uuid('ID of the upload').meta({ examples: [exampleIds.upload] }) }),
  reply: { 200: IdentifiedUpload },
  example: {
    ...{ source: 'mca-companies', columns: 17, partitions: ['ROC Goa'] },
    ...{ as_of: '2026-04-01', as_of_from: 'name' as const },
  },
  handle: async ({ db, intake: { dataDir, fileBytesMax } }, { params }) => {
    const path = await takeUpload(dataDir, params.upload_id)
    return identifyFile(db, path, { ...fetchBounds, fileBytesMax })
  },
})
