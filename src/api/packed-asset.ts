/**
 * A text that is the same for everybody: compressed once per encoding, at first use and off the event loop, and then
 * sent from one buffer shared by all connections. So a thousand stalled readers hold one copy.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { holds } from './hooks/etag.ts'

export type Encoding = 'br' | 'gzip'
export type Pack = (encoding: Encoding, content: Buffer) => Promise<Buffer>

export interface PackedAsset {
  /** The first 16 hex digits of the content's SHA-256, for a versioned URL. */
  readonly version: string
  /** The response: compressed as the caller accepts it, or a 304 if it already has it. */
  reply(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Brotli's higher qualities take seconds for their last percents, and the first reader waits for them. */
const packWell: Pack = (encoding, content) =>
  encoding === 'br'
    ? brotli(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      })
    : gzipped(content, { level: 6 })

export function createPackedAsset(content: Buffer, type: string, pack: Pack = packWell): PackedAsset {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const packed = new Map<Encoding, Promise<Buffer>>()
  const bodyIn = (encoding: Encoding): Promise<Buffer> => {
    const known = packed.get(encoding) ?? pack(encoding, content)
    packed.set(encoding, known)
    return known
  }
  return {
    version,
    async reply(request, reply) {
      const encoding = encodingFor(request)
      // Strong, so each encoding has its own.
      const tag = encoding ? `"${version}-${encoding}"` : `"${version}"`
      reply.headers({ ETag: tag, Vary: 'accept-encoding' })
      if (holds(request.headers['if-none-match'], tag)) return reply.code(304).send()
      reply.type(type)
      if (!encoding) return reply.send(content)
      return reply.header('Content-Encoding', encoding).send(await bodyIn(encoding))
    },
  }
}

/** The first of the offered encodings that the caller accepts. */
export function encodingFor(
  { headers }: Pick<FastifyRequest, 'headers'>,
  offered: readonly Encoding[] = ['br', 'gzip'],
): Encoding | undefined {
  const chosen = negotiate(headers['accept-encoding'] ?? '', [...offered])
  return offered.find((each) => each === chosen)
}
