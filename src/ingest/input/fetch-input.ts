/**
 * The fetch step of a run: makes a local file of a path or an address, or ends the run if its content is in the
 * registers already. A repeated download continues from what an earlier attempt left.
 */
import { basename, join } from 'node:path'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import { isRemote } from '../../domain/bare-address.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { checkSecretKey } from '../../secrets/canary.ts'
import type { RunDependencies } from '../run/run-dependencies.ts'
import type { RunChange, RunLease } from '../run/run-lease.ts'
import { type RunRecord, readIsOverHttp, readSealedInput } from '../run/runs.ts'
import { noteScopes } from '../run/scopes.ts'
import { addressMark, wholeInput } from '../run/source-address.ts'
import { throttle } from '../run/throttle.ts'
import { nextTurn } from '../run/turns.ts'
import { isSpooled, isUpload } from './drop-folder/spool.ts'
import { type Content, fetchedBefore, partitionsIngested, readAlready, sizeSeen } from './known-content.ts'
import { hashFile, type LocalFile, locateFile, openLocal } from './local-file.ts'
import { type Download, download } from './transport/download.ts'
import { deletePartials } from './transport/partial-file.ts'
import type { Validators } from './transport/validators.ts'

export interface FetchStep {
  readonly deps: Pick<RunDependencies, 'db' | 'dataDir' | 'allowPrivateSources' | 'signal' | 'secretKey'>
  readonly lease: RunLease
  readonly bounds: FetchBounds
  /** What a run's row records at its end. */
  readonly ending: () => Pick<RunChange, 'finished_at' | 'seconds'>
}

export interface FetchedInput {
  readonly file: LocalFile
  readonly validators: Validators | null
  /** Deletes the download. */
  release(): Promise<void>
}

/** @returns undefined if the run ended as a no-op. */
export async function fetchInput(step: FetchStep, run: RunRecord): Promise<FetchedInput | undefined> {
  const { db } = step.deps
  // A dry run shows what the file contains, and records nothing.
  const asksForNews = isRemote(run.input) && !run.force && !run.dry_run && run.approved_at === null
  const before = asksForNews ? await fetchedBefore(db, run) : undefined
  const fetched = await fetchFile(step, run, before?.validators)
  if (fetched.kind === 'not-modified') {
    const reason = 'The server says that the file is the one that was ingested before (304 Not Modified).'
    if (before && (await endsAsNoOp(step, run, before, reason))) return undefined
    throw new AppError('SOURCE_UNREADABLE', `${run.input}: the server sent 304 for a version that is not here.`, {
      retry: 'later',
    })
  }
  const release = async () => (isRemote(run.input) ? deleteDownloads(step.deps.dataDir, run.run_id) : undefined)
  try {
    const file = { ...(await locateFile(fetched.path, step.bounds.fileBytesMax)), name: nameOf(step.deps.dataDir, run) }
    // The same content has the same size, so a file of a new size need not be hashed before it is staged.
    if (!run.force && !run.dry_run && (await sizeSeen(db, run, file.size))) {
      const content = { sha256: await readHash(file), bytes: file.size, validators: fetched.validators }
      const reason = 'The file has the content that was ingested before (the same sha256).'
      if (await endsAsNoOp(step, run, content, reason)) {
        await release()
        return undefined
      }
    }
    return { file, validators: fetched.validators, release }
  } catch (cause) {
    await release()
    throw cause
  }
}

/** The input's name in responses: for an upload the sender's file name, not its path here. */
const nameOf = (dataDir: string, { input }: RunRecord): string =>
  isUpload(dataDir, input) ? basename(input) : visible(input)

/** Deletes what the attempts of a run downloaded. */
export const deleteDownloads = (dataDir: string, runId: number): Promise<void> =>
  deletePartials(join(dataDir, 'downloads'), runId)

async function fetchFile(step: FetchStep, run: RunRecord, known: Validators | undefined): Promise<Download> {
  const { deps, lease, bounds } = step
  if (!isRemote(run.input)) {
    const mayBePath = isUpload(deps.dataDir, run.input) || !(await readIsOverHttp(deps.db, run.run_id))
    if (!mayBePath)
      throw new AppError(
        'SOURCE_UNREADABLE',
        `${visible(run.input)}: this is no upload, and nothing else is read for a run that was asked for over HTTP.`,
      )
    const isOwn = isSpooled(deps.dataDir, run.source, run.input)
    const isScheduled = run.requested_by === 'schedule' && !isOwn
    const { path } = await locateFile(run.input, bounds.fileBytesMax, isScheduled)
    return { kind: 'file', path, validators: null }
  }
  const sealed = await readSealedInput(deps.db, run.run_id)
  // Between a rotation of the key and the restart of this process the address is only closed to it: the run waits.
  if (sealed !== null) await checkSecretKey(deps.db, deps.secretKey)
  const address = wholeInput({ input: run.input, ...(sealed === null ? {} : { sealed }) }, deps.secretKey)
  return download(address, {
    markOf: (url) => addressMark(url, deps.secretKey),
    folder: join(deps.dataDir, 'downloads'),
    runId: lease.runId,
    attempt: lease.attempt,
    bounds,
    allowPrivate: deps.allowPrivateSources,
    privateHost: (await isTyped(deps, run)) ? URL.parse(address)?.hostname : undefined,
    signal: deps.signal,
    known,
    onBytes: throttle(async (size: number, total: number) => {
      await lease.update(deps.db, { progress: { step: 'fetch', bytes_read: size, bytes_total: total } })
    }),
  })
}

/** Requested at a terminal of this machine, which can access whatever this process can. */
const isTyped = async ({ db }: FetchStep['deps'], run: RunRecord): Promise<boolean> =>
  run.requested_by === 'operator' && !(await readIsOverHttp(db, run.run_id))

async function endsAsNoOp(step: FetchStep, run: RunRecord, content: Content, known: string): Promise<boolean> {
  const scopes = await partitionsIngested(step.deps.db, run, content.sha256)
  const isAsked = scopes === undefined && run.approved_at === null
  const reason = scopes ? known : isAsked ? await readAlready(step.deps.db, run, content.sha256) : undefined
  if (reason === undefined) return false
  await step.lease.fenced(async (tx) => {
    // The register is now known to be complete as of the later day, too.
    if (run.mode === 'snapshot' && scopes) {
      await noteScopes(tx, { source: run.source, asOf: run.as_of, runId: run.run_id }, scopes)
    }
    const turn = await nextTurn(tx, run.source)
    await step.lease.update(tx, {
      status: 'no_op',
      turn,
      ...content,
      ...(scopes && { scopes }),
      report: { reason },
      progress: {},
      ...step.ending(),
    })
  })
  return true
}

async function readHash(file: LocalFile): Promise<string> {
  const handle = await openLocal(file)
  try {
    return await hashFile({ ...file, fd: handle.fd })
  } finally {
    await handle.close()
  }
}
