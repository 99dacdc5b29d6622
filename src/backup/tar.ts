/**
 * The archive of a backup: a gzipped tar (ustar) of small members, written and read as a stream. Anything larger than a
 * part is split, `tables/registry.company/000001`, `…/000002`, so that neither side ever holds more than one, and `tar
 * xzf` followed by `cat tables/registry.company/*` restores the whole.
 */
import { AppError } from '../errors.ts'

const block = 512
/** Bytes of a part as written, and the most that is read. */
export const partBytes = 4 * 1024 * 1024
const memberBytesMax = 64 * 1024 * 1024

export interface Member {
  readonly name: string
  readonly body: Buffer
}

export const brokenBackup = (reason: string, cause?: unknown): AppError =>
  new AppError('BACKUP_INVALID', `The backup cannot be used: ${reason}. Nothing was restored from it.`, { cause })

/** @param name up to 100 bytes of ASCII. */
export function memberBytes({ name, body }: Member): Buffer[] {
  const header = Buffer.alloc(block)
  const field = (text: string, at: number) => void header.write(text, at, 'latin1')
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  if (Buffer.byteLength(name) > 100) throw new Error(`the name of a member is too long: ${name}`)
  field(name, 0)
  field(octal(0o600, 7), 100)
  field(octal(0, 7), 108)
  field(octal(0, 7), 116)
  field(octal(body.length, 11), 124)
  field(octal(0, 11), 136)
  field('        ', 148)
  field('0', 156)
  field('ustar\x0000', 257)
  field(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const padding = (block - (body.length % block)) % block
  return [header, body, Buffer.alloc(padding)]
}

export const endOfArchive = (): Buffer => Buffer.alloc(2 * block)

/** @throws AppError BACKUP_INVALID for anything but a complete archive. */
export async function* readMembers(stream: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  const bytes = new ByteReader(stream)
  for (;;) {
    const header = await bytes.take(block)
    if (header.every((byte) => byte === 0)) return await bytes.drain()
    const text = (from: number, length: number) =>
      header.toString('latin1', from, from + length).split('\0', 1)[0] ?? ''
    const stated = Number.parseInt(text(148, 8).trim(), 8)
    const counted = header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
    const size = Number.parseInt(text(124, 12).trim(), 8)
    if (stated !== counted || !Number.isSafeInteger(size) || size < 0 || size > memberBytesMax)
      throw brokenBackup('it is no archive of Panji')
    const body = await bytes.take(size)
    await bytes.take((block - (size % block)) % block)
    yield { name: text(0, 100), body }
  }
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const parts = [this.#rest]
    let held = this.#rest.length
    while (held < length) {
      const { done, value } = await this.#chunks.next()
      if (done) throw brokenBackup('it ends too early')
      parts.push(value)
      held += value.length
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts)
    this.#rest = all.subarray(length)
    return all.subarray(0, length)
  }

  /** Reads to the end, so that gzip's final checksum is verified. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
