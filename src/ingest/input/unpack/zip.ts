/**
 * A zip file as a list of members that can be read as streams in any order. Size, CRC and ratio of each member are
 * checked while it is read; a corrupt or oversized one throws.
 */
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { AppError } from '../../../errors.ts'
import { type HeldFile, piecesOf } from '../local-file.ts'
import { refuseBomb } from './unpacked-bounds.ts'

export interface Archive {
  /** The limits for reading its members. */
  readonly bounds: FetchBounds
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws AppError SOURCE_CORRUPT if the member is corrupt or missing. */
  read(name: string): AsyncIterable<Buffer>
  close(): void
}

/**
 * Minimum size of pieces: readers return to the start of an incomplete record, so many small pieces would multiply
 * their work.
 */
const handedOnBytes = 256 << 10

/** Reads where yauzl asks, and leaves the file open: it belongs to the caller. */
class HeldReader extends RandomAccessReader {
  readonly #file: HeldFile

  constructor(file: HeldFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#file, start, end), { objectMode: false })
  }
}

/**
 * Names of members are only used for lookup and never become paths; those that leave the folder are rejected.
 * @param from an open zip file, which stays open, or the bytes of one.
 */
export async function openArchive(from: HeldFile | Buffer, label: string, bounds: FetchBounds): Promise<Archive> {
  const options = { lazyEntries: true, autoClose: false } as const
  try {
    const zip = Buffer.isBuffer(from)
      ? await fromBufferPromise(from, options)
      : await fromRandomAccessReaderPromise(new HeldReader(from), from.size, options)
    const members = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      if (members.size >= bounds.membersMax) throw tooMany(label, bounds)
      if (members.has(entry.fileName))
        throw unreadable(label, `it holds two files named ${entry.fileName.slice(0, 200)}`)
      if (!entry.fileName.endsWith('/')) members.set(entry.fileName, entry)
    }
    return {
      bounds,
      names: [...members.keys()],
      has: (name) => members.has(name),
      read: (name) => readMember(label, zip, name, members.get(name), bounds),
      close: () => zip.close(),
    }
  } catch (cause) {
    throw asRefused(label, cause)
  }
}

async function* readMember(
  label: string,
  zip: ZipFile,
  name: string,
  member: Entry | undefined,
  bounds: FetchBounds,
): AsyncGenerator<Buffer> {
  try {
    if (!member) throw new Error(`${name} is missing from it`)
    refuseUnreadable(label, name, member)
    let checksum = 0
    let total = 0
    let pieces: Buffer[] = []
    let held = 0
    for await (const chunk of await zip.openReadStreamPromise(member)) {
      const piece = chunk as Buffer
      checksum = crc32(piece, checksum)
      total += piece.length
      refuseBomb(`${label} (${name})`, member.compressedSize, total, bounds)
      pieces.push(piece)
      held += piece.length
      if (held < handedOnBytes) continue
      yield Buffer.concat(pieces)
      pieces = []
      held = 0
    }
    if (held > 0) yield Buffer.concat(pieces)
    if (checksum !== member.crc32) throw new Error('its checksum does not agree')
  } catch (cause) {
    throw asRefused(label, cause)
  }
}

/** The file is complete, so fetching it again would not help. */
function refuseUnreadable(label: string, name: string, member: Entry): void {
  if (member.canDecodeFileData()) return
  const reason = member.isEncrypted() ? 'is protected by a password' : `is packed by method ${member.compressionMethod}`
  throw unreadable(label, `${name.slice(0, 200)} ${reason}`)
}

function tooMany(label: string, { membersMax }: FetchBounds): AppError {
  return new AppError(
    'SOURCE_CORRUPT',
    `${label}: the zip file holds more than ${membersMax} files (membersMax in config/input-bounds.ts). Ingest it in parts.`,
  )
}

/** Messages of yauzl for unsupported zip features, for bytes after the end, and for a missing end. */
const unsupported = /not supported|^absolute path|^invalid relative path/
const followed = /^Invalid comment length/
const cutOff = /^End of central directory record signature not found/

function asRefused(label: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (unsupported.test(reason)) return unreadable(label, reason, cause)
  if (followed.test(reason)) return unreadable(label, 'something follows its end', cause)
  return new AppError(
    'SOURCE_CORRUPT',
    `${label}: the zip file is broken: ${cutOff.test(reason) ? 'it is cut off' : reason}. Nothing was applied; fetch the file again.`,
    { cause },
  )
}

function unreadable(label: string, reason: string, cause?: unknown): AppError {
  return new AppError(
    'SOURCE_CORRUPT',
    `${label}: the zip file cannot be read here: ${reason}. Nothing was applied; unpack it, and ingest what it holds.`,
    { cause },
  )
}
