/** Answers of some size are compressed for those who ask for it; bodies of requests are read as they are. */
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

/** Below this many bytes an answer fits one packet, and compressing costs more than it saves. */
const threshold = 1_400
/** A page of a hundred records; it takes a few milliseconds. Larger are the exports of orders, which are paid for. */
const inOneGoBytesMax = 262_144

export async function addCompression(app: FastifyInstance): Promise<void> {
  // A small compressed body may hold a huge one: the bound on bodies would be none.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') done(null, payload)
    else done(new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without Content-Encoding.'))
  })
  // Errors go out as they are: whoever makes many of them must not choose work for it. The plugin's own word for it.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) request.headers['x-no-compression'] = 'true'
    done(null, payload)
  })
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold,
    // In one go up to this size, so that whoever reads slowly holds an answer and no compressor beside it.
    syncThreshold: inOneGoBytesMax,
    // The window of an export that is sent as it is read: sixteen times as large it shrinks no better, and is held all along.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    zlibOptions: { level: 6 },
  })
}
