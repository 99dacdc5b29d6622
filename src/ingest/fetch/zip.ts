/**
 * A zip file as a list of members that can be read as streams, any of them, in any order. Size, CRC and ratio of each
 * member are checked while it is read; a broken or bloated one throws.
 */
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../errors.ts'

/** Bytes that leave per byte that enters; no table compresses like that. */
export const inflationMax = 500
export const inflationFreeBytes = 64 << 20
/** Members beyond this number are no publication of a register. */
const membersMax = 10_000

export interface Archive {
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws AppError SOURCE_CORRUPT when the member is broken, or is not there. */
  read(name: string): AsyncIterable<Buffer>
  close(): void
}

/** @param from path of a zip file, or its bytes. */
export async function openArchive(from: string | Buffer, label: string): Promise<Archive> {
  const options = { lazyEntries: true, autoClose: false } as const
  try {
    const zip = typeof from === 'string' ? await openPromise(from, options) : await fromBufferPromise(from, options)
    const members = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      if (members.size >= membersMax) throw new Error(`it holds more than ${membersMax} files`)
      if (!entry.fileName.endsWith('/')) members.set(entry.fileName, entry)
    }
    return {
      names: [...members.keys()],
      has: (name) => members.has(name),
      read: (name) => readMember(label, zip, name, members.get(name)),
      close: () => zip.close(),
    }
  } catch (cause) {
    throw asCorrupt(label, cause)
  }
}

async function* readMember(
  label: string,
  zip: ZipFile,
  name: string,
  member: Entry | undefined,
): AsyncGenerator<Buffer> {
  try {
    if (!member) throw new Error(`${name} is missing from it`)
    let checksum = 0
    let total = 0
    for await (const chunk of await zip.openReadStreamPromise(member)) {
      checksum = crc32(chunk as Buffer, checksum)
      total += (chunk as Buffer).length
      if (total > inflationFreeBytes && total > member.compressedSize * inflationMax) {
        throw new Error(`${name} unpacks to more than ${inflationMax} times its size`)
      }
      yield chunk as Buffer
    }
    if (checksum !== member.crc32) throw new Error('its checksum does not agree')
  } catch (cause) {
    throw asCorrupt(label, cause)
  }
}

function asCorrupt(label: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('SOURCE_CORRUPT', `${label}: the zip file is broken: ${reason}.`, { cause })
}
