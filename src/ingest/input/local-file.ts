/**
 * Resolves a path or a `file:` address to a file that may be read: it exists, is no link, and is neither empty nor too
 * large. Readers open it with the same flags, so that it cannot become a link in between.
 */
import { createHash } from 'node:crypto'
import { constants, read, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeOf } from '../../domain/fault-code.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'

export interface LocalFile {
  readonly name: string
  readonly path: string
  readonly size: number
}

/**
 * The last part of a path is never followed if it is a link: for a run requested by hand, the requester's links were
 * resolved then. Opening a fifo does not wait.
 */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * @param unwatched for a path that is read repeatedly without supervision: none of its folders may be a link, either.
 * @throws AppError SOURCE_UNREADABLE for a missing, empty, unreadable or too large file, and for a link.
 */
export async function locateFile(input: string, bytesMax: number, unwatched = false): Promise<LocalFile> {
  const path = input.startsWith('file:') ? fileURLToPath(input) : resolve(input)
  const name = visible(input)
  const cannot = (cause: unknown): AppError => {
    const code = codeOf(cause)
    if (code === 'ELOOP') return isLink(name)
    return new AppError('SOURCE_UNREADABLE', `${name}: the file cannot be opened: ${reasonOf(code, input)}.`, { cause })
  }
  try {
    const handle = await open(path, openFlags)
    try {
      const found = await handle.stat()
      if (unwatched && (await realpath(path)) !== path) throw isLink(name)
      refuseUnfit(name, found, bytesMax)
      return { name, path, size: found.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannot(cause)
  }
}

function reasonOf(code: string, input: string): string {
  // The replacement for an undecodable byte: the name on disk is different.
  if (code === 'ENOENT' && input.includes('\uFFFD')) return 'its name is not UTF-8; rename it'
  const reason = { ENOENT: 'there is no such file', EACCES: 'it may not be read' }[code]
  if (reason === undefined) return code || 'the file system refuses it'
  return `${reason}. The worker opens it, as its own user, and may see neither /tmp nor a home folder`
}

function isLink(name: string): AppError {
  return new AppError(
    'SOURCE_UNREADABLE',
    `${name}: this is, or lies behind, a symbolic link, and links are not followed; name the real path.`,
  )
}

function refuseUnfit(name: string, found: Stats, bytesMax: number): void {
  if (!found.isFile()) throw new AppError('SOURCE_UNREADABLE', `${name}: this is not a file.`)
  if (found.size === 0) {
    throw new AppError('SOURCE_UNREADABLE', `${name}: the file is empty; expected a CSV header on line 1.`)
  }
  if (found.size > bytesMax) {
    throw new AppError(
      'SOURCE_UNREADABLE',
      `${name}: the file has ${found.size} bytes; at most ${bytesMax} (PANJI_INPUT_BYTES_MAX) are taken. ` +
        'Ingest it in parts, or raise the bound.',
    )
  }
}

/** An open file: readers need neither its path nor the right to open it. */
export interface HeldFile {
  readonly name: string
  readonly size: number
  readonly fd: number
}

export const openLocal = ({ path }: LocalFile): Promise<FileHandle> => open(path, openFlags)

const chunkBytes = 256 << 10

/**
 * Reads by position, so several readers of one file do not affect each other, and none of them closes it. The next
 * piece is read ahead while one is processed.
 */
export async function* piecesOf({ fd, size }: HeldFile, start = 0, end = size): AsyncGenerator<Buffer> {
  const at = (position: number) => {
    const length = Math.min(chunkBytes, Math.max(0, end - position))
    const reading = length === 0 ? undefined : readAt(fd, Buffer.allocUnsafe(length), 0, length, position)
    // The read-ahead is ignored if the reader stops early.
    reading?.catch(() => {})
    return reading
  }
  for (let position = start, next = at(position); next !== undefined; ) {
    const { bytesRead, buffer } = await next
    if (bytesRead === 0) return
    position += bytesRead
    next = at(position)
    yield buffer.subarray(0, bytesRead)
  }
}

/** @param onProgress called with every piece that was read. */
export async function hashFile(file: HeldFile, onProgress?: () => void): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of piecesOf(file)) {
    hash.update(chunk)
    onProgress?.()
  }
  return hash.digest('hex')
}

export async function firstBytes({ fd }: HeldFile, count: number): Promise<Buffer> {
  const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(count), 0, count, 0)
  return buffer.subarray(0, bytesRead)
}

const readAt = promisify(read)
