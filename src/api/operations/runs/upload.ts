import { Readable } from 'node:stream'
import { z } from 'zod'
import { httpBounds } from '../../../../config/http-bounds.ts'
import { audit } from '../../../audit/audit.ts'
import { isFileName, keepUpload, tooLarge } from '../../../ingest/input/uploads.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

const bytesType = 'application/octet-stream'
const Upload = z
  .object({
    upload_id: uuid('Identifies the file when a run is started'),
    filename: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  })
  .meta({ id: 'Upload' })

export default operation({
  id: 'uploadSnapshot',
  method: 'POST',
  path: '/admin/ingest/uploads',
  summary: 'Upload a file to ingest',
  description:
    'The bytes of a CSV, workbook or JSON file, or of one of these in a .gz or .zip. It is kept for a week after its last use. ' +
    'Compare the sha256 with your own.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['DATABASE_FULL', 'SOURCE_UNREADABLE'],
  bodyMs: httpBounds.uploadMs,
  consumes: [bytesType],
  query: z.object({
    filename: z
      .string()
      .refine(isFileName, 'must be the name of a file without a folder')
      .meta({ description: 'File name, as the run will show it', examples: ['companies-2026-04.csv.gz'] }),
  }),
  body: z
    .custom<Readable>((value) => value instanceof Readable, 'must be the bytes of the file')
    .meta({ type: 'string', format: 'binary' }),
  reply: { 201: Upload },
  example: {
    upload_id: 'c3f5960b-8ae0-46df-8792-898c9520ed64',
    filename: 'companies-2026-04.csv.gz',
    bytes: 16,
    sha256: '24c61258a2185e4b148058892fdde64453791b6ff155d5ebe18eb32222c460ea',
  },
  handle: async ({ db, intake: { dataDir, fileBytesMax } }, request, actor) => {
    if (Number(request.headers['content-length'] ?? 0) > fileBytesMax) throw tooLarge(fileBytesMax)
    const { filename } = request.query
    const kept = await keepUpload(dataDir, { filename, body: request.body, bytesMax: fileBytesMax })
    const { uploadId, bytes, sha256 } = kept
    const detail = { filename, bytes, sha256 }
    await audit(db, { actor, action: 'upload snapshot', subject: uploadId, detail })
    return { upload_id: uploadId, ...detail }
  },
})
