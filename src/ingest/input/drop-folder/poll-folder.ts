/**
 * One poll of a watched folder: files of finished runs are moved away, and the oldest complete file is moved into the
 * spool and gets a run. One file at a time, so that they are applied in the order of their days; the end of a run
 * triggers the next poll.
 *
 * One process polls at a time. A process that dies between the move and the run's row leaves a spooled file without a
 * run; the next poll removes its name from the folder if still necessary, and creates the run.
 */
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { codeOf, isDiskFull } from '../../../domain/fault-code.ts'
import { quoted } from '../../../domain/visible.ts'
import { AppError } from '../../../errors.ts'
import type { JobSender } from '../../../queue/queue.ts'
import { requestRun, sourceNamed } from '../../run/request-run.ts'
import { findOpenRun } from '../../run/runs.ts'
import { readToday } from '../../run/snapshot-day.ts'
import { type DropFolder, type FolderListing, listFolder } from './drop-folder.ts'
import { fileAway } from './file-away.ts'
import { isInside, openSpool, type Spool, spoolRoot } from './spool.ts'
import { removeName, type SpooledFile, spooledFiles, spoolFile } from './spool-file.ts'
import { type WatchedFolder, withWatchedFolder } from './watched-folder.ts'

/** Class of the advisory locks that a process holds while it polls a folder. */
const lockClass = 0x64726f70

export interface PollDependencies {
  readonly db: Db
  readonly queue: JobSender
  readonly signal: AbortSignal
  readonly dataDir: string
  /** How long a file must be unchanged to count as complete. */
  readonly settleMs: number
  readonly fileBytesMax: number
}

export type DropPoll = (
  | { readonly kind: 'taken'; readonly file: string; readonly runId: number }
  /** There is no file, or none is complete yet. */
  | { readonly kind: 'nothing'; readonly unfinished: number }
  /** A run of the source is open; its end, or the next slot, polls again. */
  | { readonly kind: 'waits'; readonly openRunId: number }
  /** Another process is polling. */
  | { readonly kind: 'watched' }
) & {
  /** Links, pipes and other refused files; omitted if there are none. */
  readonly refused?: readonly string[]
}

/** @throws AppError SOURCE_UNREADABLE for a folder that does not exist, is a link, or is not writable. */
export async function pollFolder(deps: PollDependencies, source: string, drop: DropFolder): Promise<DropPoll> {
  // A source's spool belongs to one process at a time, and so does a folder watched by two sources.
  const keys = [`source ${source}`, drop.folder]
  return deps.db.withConnection(async (connection) => {
    const [lock] = await connection.query<{ first: boolean; second: boolean }>(
      `SELECT first, CASE WHEN first THEN pg_try_advisory_lock($1, hashtext($3)) ELSE false END AS second
       FROM (SELECT pg_try_advisory_lock($1, hashtext($2)) AS first OFFSET 0) one`,
      [lockClass, ...keys],
    )
    const held = keys.filter((_, index) => (index === 0 ? lock?.first : lock?.second) === true)
    try {
      return held.length < keys.length ? { kind: 'watched' } : await underLock(deps, source, drop)
    } catch (cause) {
      throw named(drop, cause)
    } finally {
      for (const key of held) {
        // A broken connection is closed by its pool, and the server then releases the lock.
        await connection.execute('SELECT pg_advisory_unlock($1, hashtext($2))', [lockClass, key]).catch(() => 0)
      }
    }
  })
}

async function underLock(deps: PollDependencies, source: string, drop: DropFolder): Promise<DropPoll> {
  const { db, dataDir } = deps
  if (isInside(drop.folder, spoolRoot(dataDir)) || isInside(spoolRoot(dataDir), drop.folder)) {
    throw new AppError('SOURCE_UNREADABLE', `${drop.folder} holds Panji's own files and cannot be watched.`)
  }
  const spool = await openSpool(dataDir, source)
  const orphan = await withoutRun(deps, spool)
  const openRunId = await findOpenRun(db, source)
  if (openRunId !== undefined) return { kind: 'waits', openRunId }
  if (orphan) return request(deps, source, orphan)
  return withWatchedFolder(drop.folder, (held) => spoolOldest(deps, source, spool, drop, held))
}

async function spoolOldest(
  deps: PollDependencies,
  source: string,
  spool: Spool,
  drop: DropFolder,
  held: WatchedFolder,
): Promise<DropPoll> {
  const bounds = { fileBytesMax: deps.fileBytesMax, today: await readToday(deps.db, sourceNamed(source)) }
  const first = await listFolder(drop, held, bounds)
  if (first.files.length === 0) return { kind: 'nothing', unfinished: 0, ...refusedOf(first) }
  await delay(deps.settleMs, undefined, { signal: deps.signal })
  const before = new Map(first.files.map(({ name, state }) => [name, state]))
  const second = await listFolder(drop, held, bounds)
  for (const file of second.files.filter(({ name, state }) => before.get(name) === state)) {
    const taken = await spoolFile(spool, drop, held, file, deps.fileBytesMax)
    if (taken) return { ...(await request(deps, source, taken)), ...refusedOf(second) }
  }
  return { kind: 'nothing', unfinished: second.files.length, ...refusedOf(second) }
}

const refusedOf = ({ refused }: FolderListing): { refused?: string[] } =>
  refused.length === 0 ? {} : { refused: refused.slice(0, 20).map(({ name, reason }) => `${quoted(name)}: ${reason}`) }

async function request(
  { db, queue }: PollDependencies,
  source: string,
  { path, origin }: SpooledFile,
): Promise<DropPoll> {
  const { asOf, input, mode } = origin
  const { runId } = await db.transaction((tx) =>
    requestRun(tx, queue, {
      ...{ source, input: path, asOf, requestedBy: 'schedule', dropFolder: input },
      ...(mode && { mode }),
    }),
  )
  return { kind: 'taken', file: quoted(basename(path), 200), runId }
}

/**
 * Moves files of finished runs away.
 * @returns a spooled file that has no run yet, after removing it from its folder.
 */
async function withoutRun({ db, dataDir }: PollDependencies, spool: Spool): Promise<SpooledFile | undefined> {
  for (const taken of await spooledFiles(spool)) {
    const [run] = await db.query<{ runId: number }>(
      `SELECT run_id AS "runId" FROM ingest.run WHERE input = $1 AND drop_folder IS NOT NULL`,
      [taken.path],
    )
    if (run) {
      await fileAway(db, dataDir, run.runId)
      continue
    }
    // A folder that is gone, or became a link, has no name to remove.
    await withWatchedFolder(taken.origin.folder, (held) => removeName(held, taken.origin)).catch((cause: unknown) => {
      const isGone = cause instanceof AppError || (cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone) throw cause
    })
    return taken
  }
  return undefined
}

function named({ folder }: DropFolder, cause: unknown): unknown {
  const code = codeOf(cause)
  if (cause instanceof AppError || !(cause instanceof Error)) return cause
  if (isDiskFull(cause)) {
    const message = 'The disk is full; make room for the files of watched folders in PANJI_DATA_DIR.'
    return new AppError('SOURCE_UNREADABLE', message, { retry: 'later', cause })
  }
  if (!/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR)$/.test(code)) return cause
  const message = `The watched folder ${folder} must be there and be writable, and so must PANJI_DATA_DIR (${code}).`
  return new AppError('SOURCE_UNREADABLE', message, { cause })
}
