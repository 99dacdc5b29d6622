/** Compresses larger responses for clients that accept it; request bodies must be uncompressed. */
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

/** Below this many bytes a response fits one packet, and compressing costs more than it saves. */
const threshold = 1_400
/**
 * A page of a hundred records, which takes a few milliseconds. Only exports of orders, which are paid for, are larger.
 */
const inOneGoBytesMax = 262_144

export async function addCompression(app: FastifyInstance): Promise<void> {
  // A small compressed body may expand to a huge one, which would defeat the limit on bodies.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') done(null, payload)
    else done(new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without Content-Encoding.'))
  })
  // Errors are sent uncompressed, so that a client who causes many cannot create work. The header is the plugin's own
  // switch.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) request.headers['x-no-compression'] = 'true'
    done(null, payload)
  })
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold,
    // In one go up to this size, so that a slow reader holds a response but no compressor.
    syncThreshold: inOneGoBytesMax,
    // Window for an export that is streamed: one sixteen times as large compresses no better, and would be held all
    // along.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    zlibOptions: { level: 6 },
  })
}
