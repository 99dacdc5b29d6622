/** Reads a backup from end to end and compares every part with its manifest, before anything is changed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { AppError } from '../errors.ts'
import { Manifest, manifestHashName, manifestName, tableEntry } from './manifest.ts'
import { Tally } from './tables.ts'
import { brokenBackup, type Member, readMembers } from './tar.ts'

/** The default chunks are so small that passing them on takes longer than unpacking them. */
const chunkBytes = 1024 * 1024

/** The members of an archive in order. @throws AppError BACKUP_INVALID where it is truncated or altered. */
export async function* backupMembers(path: string): AsyncGenerator<Member> {
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  const unpacked = createGunzip({ chunkSize: chunkBytes })
  // Whichever of the two fails, the reader gets the error from the second.
  file.on('error', (error) => unpacked.destroy(Object.assign(error, { path })))
  file.pipe(unpacked)
  try {
    yield* readMembers(unpacked)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw brokenBackup('it ends too early', error)
    if (code?.startsWith('Z_')) throw brokenBackup('it is damaged, or no backup of Panji', error)
    throw error
  } finally {
    file.destroy()
    unpacked.destroy()
  }
}

/** `tables/registry.company/000002` is the second part of `tables/registry.company`. */
export function partOf(name: string): { readonly entry: string; readonly part: number } {
  const [, entry = '', part = ''] = /^(.+)\/(\d{6,})$/.exec(name) ?? []
  return { entry, part: Number(part) }
}

/** @throws AppError BACKUP_INVALID; what the signal gives as its reason once it aborts. */
export async function checkBackup(path: string, signal?: AbortSignal): Promise<Manifest> {
  const tallies = new Map<string, { tally: Tally; parts: number }>()
  const plain = new Map<string, Buffer>()
  for await (const { name, body } of backupMembers(path)) {
    signal?.throwIfAborted()
    if (name === manifestName || name === manifestHashName) {
      plain.set(name, body)
      continue
    }
    const { entry, part } = partOf(name)
    const held = tallies.get(entry) ?? { tally: new Tally(), parts: 0 }
    if (entry === '' || part !== held.parts + 1 || plain.size > 0) throw brokenBackup(`${name} is in the wrong place`)
    held.tally.add(body)
    held.parts = part
    tallies.set(entry, held)
  }
  const manifest = readManifest(plain.get(manifestName), plain.get(manifestHashName)?.toString())
  const expected = [
    ...manifest.tables.map((table) => ({ ...table, entry: tableEntry(table.name) })),
    ...manifest.files.map((file) => ({ ...file, rows: undefined })),
  ]
  for (const { entry, rows, bytes, sha256, name } of expected) {
    const tally = tallies.get(entry)?.tally
    const isWhole = tally && tally.bytes === bytes && tally.sha256() === sha256 && (rows ?? tally.rows) === tally.rows
    if (!isWhole) throw brokenBackup(`${name} is not what the manifest says`)
  }
  if (tallies.size !== expected.length) throw brokenBackup('it holds more than its manifest names')
  return manifest
}

function readManifest(text: Buffer | undefined, sha256: string | undefined): Manifest {
  if (text === undefined || sha256 === undefined) throw brokenBackup('it has no manifest')
  if (createHash('sha256').update(text).digest('hex') !== sha256) throw brokenBackup('its manifest was altered')
  const parsed = Manifest.safeParse(JSON.parse(text.toString()))
  if (parsed.success) return parsed.data
  throw new AppError(
    'BACKUP_INVALID',
    'The manifest of the backup has an unknown format. A newer Panji may be able to read it.',
  )
}
