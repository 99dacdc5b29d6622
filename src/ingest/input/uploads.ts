/**
 * Stores files that operators send over HTTP, each in its own folder under `spool/uploads`, with its sha256. The id is
 * returned once the file is complete and safe on disk, so no run reads an incomplete one; an aborted upload is deleted,
 * and what a dead process left is swept.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Queryable } from '../../db/db.ts'
import { isDiskFull } from '../../domain/fault-code.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { finishedStatuses } from '../run/transitions.ts'
import { openUploads, syncFolder, uploadsIn } from './drop-folder/spool.ts'

export interface Upload {
  readonly uploadId: string
  readonly filename: string
  readonly bytes: number
  readonly sha256: string
}

export interface UploadRequest {
  /** Base name, as `isFileName` allows. */
  readonly filename: string
  readonly body: Readable
  readonly bytesMax: number
}

const nameBytesMax = 180

/** A name that denotes one file in one folder on every system, and looks like no other. */
export const isFileName = (name: string): boolean =>
  /^[^\p{C}/\\:]+$/u.test(name) && !/^\.|^\s|\s$/.test(name) && Buffer.byteLength(name) <= nameBytesMax

/** @throws AppError PAYLOAD_TOO_LARGE beyond `bytesMax`, BAD_REQUEST for an empty or incomplete body, DATABASE_FULL */
export async function keepUpload(dataDir: string, { filename, body, bytesMax }: UploadRequest): Promise<Upload> {
  const root = await openUploads(dataDir)
  const uploadId = randomUUID()
  const place = join(root, uploadId)
  await mkdir(place, { mode: 0o700 })
  try {
    const written = await write(join(place, filename), body, bytesMax)
    await syncFolder(place)
    await syncFolder(root)
    return { uploadId, filename, ...written }
  } catch (cause) {
    await rm(place, { recursive: true, force: true })
    throw refusalOf(cause, body)
  }
}

/**
 * Keeps the upload for another period.
 * @returns its path, for a run to read.
 * @throws AppError NOT_FOUND
 */
export async function takeUpload(dataDir: string, uploadId: string): Promise<string> {
  const place = join(uploadsIn(dataDir), uploadId)
  const [name] = isUuid(uploadId) ? await readdir(place).catch(() => []) : []
  if (name === undefined) throw new AppError('NOT_FOUND', 'There is no such upload. Uploads are kept for a week.')
  const now = new Date()
  await utimes(place, now, now)
  return join(place, name)
}

/**
 * Deletes uploads last used before `period`, a text such as `7 days`.
 * @returns how many.
 */
export async function sweepUploads(db: Queryable, dataDir: string, period: string): Promise<number> {
  const root = uploadsIn(dataDir)
  const places = (await readdir(root).catch(() => [])).filter(isUuid).map((id) => join(root, id))
  if (places.length === 0) return 0
  const [clock] = await db.query<{ before: Date }>('SELECT now() - $1::interval AS before', [period])
  const open = await db.query<{ input: string }>(
    'SELECT input FROM ingest.run WHERE starts_with(input, $1) AND NOT status = ANY ($2)',
    [`${root}/`, finishedStatuses],
  )
  let removed = 0
  for (const place of places) {
    const used = (await stat(place)).mtime
    if (!clock || used >= clock.before || open.some(({ input }) => input.startsWith(`${place}/`))) continue
    await rm(place, { recursive: true, force: true })
    removed++
  }
  return removed
}

/** Counts and hashes while it writes. */
async function write(path: string, body: Readable, bytesMax: number): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    // The connection is kept after an error, so that it can be answered.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      hash.update(chunk)
      await handle.appendFile(chunk)
    }
    if (bytes === 0) throw new AppError('BAD_REQUEST', 'The body is empty; send the bytes of the file.')
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

export const tooLarge = (bytesMax: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `A file may have at most ${bytesMax} bytes (PANJI_INPUT_BYTES_MAX).`)

function refusalOf(cause: unknown, body: Readable): unknown {
  if (cause instanceof AppError) return cause
  if (isDiskFull(cause))
    return new AppError('DATABASE_FULL', "The disk is full; free space where Panji's data directory lies.", { cause })
  return body.destroyed
    ? new AppError('BAD_REQUEST', 'The upload broke off before its end; nothing of it is kept.', { cause })
    : cause
}
