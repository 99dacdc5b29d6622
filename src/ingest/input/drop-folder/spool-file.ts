/**
 * Moves a file from a watched folder into the spool, across file systems too: it is copied from a handle that follows
 * no link, flushed to disk, and renamed into place; then its name in the folder is removed, if it still is the same
 * file. The copy belongs to Panji alone: a sender who keeps the file open cannot change it.
 *
 * A process that dies before the rename leaves a copy that the next poll removes, and the file in its folder; one that
 * dies after it leaves a spooled file with a note of its origin, by which the next poll removes the name.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { type DropFolder, type DroppedFile, refusalOf, stateOf } from './drop-folder.ts'
import { type Spool, syncFolder } from './spool.ts'
import { openFlags, type WatchedFolder } from './watched-folder.ts'

const chunkBytes = 1 << 20
/** File systems allow names of 255 bytes; a run's number and `.reason.txt` are added. */
const nameBytesMax = 180

const Origin = z.object({
  input: z.string(),
  folder: z.string(),
  name: z.string(),
  state: z.string(),
  asOf: z.string(),
  mode: z.enum(['snapshot', 'delta']).optional(),
})
/** Where a spooled file came from. */
export type Origin = z.infer<typeof Origin>

export interface SpooledFile {
  readonly path: string
  readonly origin: Origin
}

/** @returns undefined if the file is not, or no longer, the complete file that was polled. */
export async function spoolFile(
  spool: Spool,
  drop: DropFolder,
  held: WatchedFolder,
  { name, state, asOf }: DroppedFile,
  fileBytesMax: number,
): Promise<SpooledFile | undefined> {
  const from = await open(join(held.entries, name), openFlags).catch(() => undefined)
  if (!from) return undefined
  const id = randomBytes(6).toString('hex')
  const place = join(spool.incoming, id)
  const { input, folder, mode } = drop
  const origin = { input, folder, name, state, asOf, ...(mode && { mode }) }
  try {
    const stats = await from.stat()
    if (refusalOf(stats, fileBytesMax) !== undefined || stateOf(stats) !== state) return undefined
    await mkdir(place, { mode: 0o700 })
    await copy(from, join(place, shortName(name)), stats.size)
    if (stateOf(await from.stat()) !== state) return undefined
    await writeSafely(noteOf(spool, id), async (handle) => handle.writeFile(JSON.stringify(origin)))
    await syncFolder(place)
    await rename(place, join(spool.taken, id))
    await syncFolder(spool.taken)
    await removeName(held, origin).catch(async (cause: unknown) => {
      // A name that cannot be removed would be spooled again and again.
      await forget(spool, id)
      throw cause
    })
    return { path: join(spool.taken, id, shortName(name)), origin }
  } finally {
    await from.close()
    await rm(place, { recursive: true, force: true })
  }
}

/** Files in the spool that belong to runs or wait for one; copies left incomplete by a dead process are removed. */
export async function spooledFiles(spool: Spool): Promise<SpooledFile[]> {
  for (const place of await readdir(spool.incoming))
    await rm(join(spool.incoming, place), { recursive: true, force: true })
  const found: SpooledFile[] = []
  const entries = new Set(await readdir(spool.taken))
  for (const entry of entries) {
    if (entry.endsWith('.json')) {
      if (!entries.has(entry.slice(0, -'.json'.length))) await rm(join(spool.taken, entry), { force: true })
      continue
    }
    const [name] = await readdir(join(spool.taken, entry))
    const origin = await readOrigin(noteOf(spool, entry))
    if (name !== undefined && origin) found.push({ path: join(spool.taken, entry, name), origin })
  }
  return found
}

/** Removes the name in the watched folder, unless it has become another file or the file has grown. */
export async function removeName({ entries }: WatchedFolder, { name, state }: Origin): Promise<void> {
  const found = await lstat(join(entries, name)).catch(() => undefined)
  if (found && stateOf(found) === state) await unlink(join(entries, name))
}

/** Called when its file was moved elsewhere. */
export async function removeSpooled(path: string): Promise<void> {
  await rm(dirname(path), { recursive: true, force: true })
  await rm(`${dirname(path)}.json`, { force: true })
}

async function forget(spool: Spool, id: string): Promise<void> {
  await removeSpooled(join(spool.taken, id, 'any'))
}

/** Keeps holes: a sparse file must not take up more space here than in its folder. */
async function copy(from: FileHandle, path: string, size: number): Promise<void> {
  await writeSafely(path, async (to) => {
    const buffer = Buffer.alloc(chunkBytes)
    const zeros = Buffer.alloc(chunkBytes)
    let at = 0
    while (at < size) {
      const { bytesRead } = await from.read(buffer, 0, Math.min(chunkBytes, size - at), at)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      if (!chunk.equals(zeros.subarray(0, bytesRead))) await writeAll(to, chunk, at)
      at += bytesRead
    }
    await to.truncate(at)
  })
}

/** A nearly full disk may write only a part of a chunk. */
async function writeAll(to: FileHandle, chunk: Buffer, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await to.write(chunk, done, chunk.length - done, at + done)
    done += bytesWritten
  }
}

async function writeSafely(path: string, write: (to: FileHandle) => Promise<void>): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const to = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await write(to)
    await to.sync()
  } finally {
    await to.close()
  }
}

const noteOf = (spool: Spool, id: string): string => join(spool.taken, `${id}.json`)

/** Written before the rename that completes the file, so it is complete. */
async function readOrigin(path: string): Promise<Origin | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text === '' ? undefined : Origin.parse(JSON.parse(text))
}

function shortName(name: string): string {
  if (Buffer.byteLength(name) <= nameBytesMax) return name
  const end = Buffer.from(extname(name)).subarray(0, 20)
  const start = Buffer.from(name).subarray(0, nameBytesMax - end.length)
  return Buffer.concat([start, end]).toString('utf8').replaceAll('\ufffd', '')
}
