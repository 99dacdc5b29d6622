/** Answers of some size are compressed for those who ask for it; bodies of requests are read as they are. */
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

/** Below this many bytes an answer fits one packet, and compressing costs more than it saves. */
const threshold = 1_400

export async function addCompression(app: FastifyInstance): Promise<void> {
  // A small compressed body may hold a huge one: the bound on bodies would be none.
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return payload
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without Content-Encoding.')
  })
  await app.register(compress, { globalDecompression: false, encodings: ['br', 'gzip'], threshold })
}
