/** Files that operators send: the bytes as they are, streamed to disk; POST /admin/ingest/runs takes them in. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { httpBounds } from '../../../config/http-bounds.ts'
import { isFileName, keepUpload, tooLarge } from '../../ingest/input/uploads.ts'
import { audit } from '../../trail/audit.ts'
import { uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const bytesType = 'application/octet-stream'

const Upload = z
  .object({
    upload_id: uuid('Names the file where a run is started'),
    filename: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  })
  .meta({ id: 'Upload' })

export const adminUploadRoutes: Routes = async (app, { db, intake: { dataDir, fileBytesMax } }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(bytesType, (_request, body, done) => done(null, body))

  app.post(
    '/admin/ingest/uploads',
    {
      config: { bodyMs: httpBounds.uploadMs, errors: ['DATABASE_FULL', 'SOURCE_UNREADABLE'] },
      schema: {
        operationId: 'uploadSnapshot',
        ...admin,
        summary: 'Send a file to be taken in',
        description:
          'The bytes of a CSV, workbook or JSON Lines file, or of one of these in a .gz or .zip. It is kept for a week after its last use. ' +
          'Compare the sha256 with your own.',
        consumes: [bytesType],
        querystring: z.object({
          filename: z
            .string()
            .refine(isFileName, 'must be the name of a file without a folder')
            .meta({ description: 'Its name, as the run will tell it', examples: ['companies-2026-04.csv.gz'] }),
        }),
        body: z
          .custom<Readable>((value) => value instanceof Readable, 'must be the bytes of the file')
          .meta({ type: 'string', format: 'binary' }),
        response: { 201: Upload },
      },
    },
    async (request, reply) => {
      if (Number(request.headers['content-length'] ?? 0) > fileBytesMax) throw tooLarge(fileBytesMax)
      const { filename } = request.query
      const kept = await keepUpload(dataDir, { filename, body: request.body, bytesMax: fileBytesMax })
      const { uploadId, bytes, sha256 } = kept
      const detail = { filename, bytes, sha256 }
      await audit(db, { actor: operatorOf(request), action: 'upload snapshot', subject: uploadId, detail })
      return reply.code(201).send({ upload_id: uploadId, ...detail })
    },
  )
}
