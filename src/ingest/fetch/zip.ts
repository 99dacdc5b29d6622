/** The one CSV member of a zip file, as a stream; its size and CRC are checked when it ends. */
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../errors.ts'
import type { LocalFile } from './open-input.ts'

export async function openZipMember(file: LocalFile): Promise<AsyncIterable<Buffer>> {
  try {
    const zip = await openPromise(file.path, { lazyEntries: true, autoClose: false })
    return readMember(file, zip, await onlyMember(file, zip))
  } catch (cause) {
    throw asCorrupt(file, cause)
  }
}

async function onlyMember(file: LocalFile, zip: ZipFile): Promise<Entry> {
  const members: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) members.push(entry)
  }
  const [member] = members
  if (member === undefined || members.length > 1) {
    zip.close()
    const found = members.map((entry) => entry.fileName).slice(0, 10)
    throw new AppError(
      'SOURCE_CORRUPT',
      `${file.name}: expected a zip with one file in it, found ${members.length}${found.length > 0 ? ` (${found.join(', ')})` : ''}.`,
    )
  }
  return member
}

async function* readMember(file: LocalFile, zip: ZipFile, member: Entry): AsyncGenerator<Buffer> {
  try {
    let checksum = 0
    for await (const chunk of await zip.openReadStreamPromise(member)) {
      checksum = crc32(chunk as Buffer, checksum)
      yield chunk as Buffer
    }
    if (checksum !== member.crc32) throw new Error('its checksum does not agree')
  } catch (cause) {
    throw asCorrupt(file, cause)
  } finally {
    zip.close()
  }
}

function asCorrupt(file: LocalFile, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('SOURCE_CORRUPT', `${file.name}: the zip file is broken: ${reason}.`, { cause })
}
