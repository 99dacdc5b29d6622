/** A download that a kill or a full disk ends is gone on with from the bytes that are safe. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { getRun } from '../../src/ingest/run/runs.ts'
import { companyFile } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { serveFile } from '../support/file-server.ts'
import { useIngest } from '../support/ingest.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { source, useInputWorkers } from './support/inputs.ts'

const place = useTestDatabase()
const underFire = useIngest(place)
const { folder, queue } = underFire
const { start } = useInputWorkers(place, underFire)

describe('a worker that is killed while it downloads', () => {
  const whole = companyFile(20_000)
  const sha256 = createHash('sha256').update(whole).digest('hex')

  /** Until so much of the file is safe that a later attempt may go on from it. */
  const untilKept = (runId: number, worker: NodeProcess) =>
    vi.waitFor(() => {
      expect(worker.child.exitCode).toBeNull()
      const note = JSON.parse(readFileSync(join(folder, 'downloads', `run-${runId}-1.part.json`), 'utf8')) as {
        kept: number
      }
      expect(note.kept).toBeGreaterThan(0)
    }, 60_000)

  /** As if the worker came back three days later. */
  const daysPass = () => {
    const then = new Date(Date.now() - 3 * 86_400_000)
    for (const name of readdirSync(join(folder, 'downloads'))) utimesSync(join(folder, 'downloads', name), then, then)
  }

  test.each<[string, (server: Awaited<ReturnType<typeof serveFile>>) => void, number]>([
    ['is followed by one that goes on from its bytes', () => {}, 206],
    ['is followed days later by one that goes on from its bytes', daysPass, 206],
    [
      'is followed by one that begins anew when the file has changed',
      ({ file: served }) => Object.assign(served, { etag: '"v2"' }),
      200,
    ],
  ])('%s', async (_, change, status) => {
    const server = await serveFile(whole)
    server.faults.push({ stopAfter: 800_000 })
    const bounds = { syncEveryBytes: 100_000 }
    const first = await start(server.url, bounds)
    await untilKept(first.runId, first.worker)
    first.worker.child.kill('SIGKILL')
    await first.worker.ended
    change(server)
    const second = await start(server.url, bounds, first.runId)
    await second.worker.ended
    expect(await getRun(place.db, first.runId)).toMatchObject({
      status: 'succeeded',
      rows_read: 20_000,
      sha256,
      attempt: 2,
    })
    expect(server.seen.map((each) => each.status)).toEqual([200, status])
    expect(server.seen[1]?.range).toMatch(/^bytes=[1-9]\d{4,}-$/)
    expect(readdirSync(join(folder, 'downloads'))).toEqual([])
  })
})

/** A small file system can only be made by root, and not in every container. */
const disk = join(folder, 'small-disk')
mkdirSync(disk)
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (hasDisk) spawnSync('umount', ['-l', disk])
})

describe.runIf(hasDisk)('a disk that is full', () => {
  test('ends the attempt in words, and with room made the next goes on from there', async () => {
    const whole = companyFile(20_000)
    const server = await serveFile(whole)
    const { runId } = await place.db.transaction((tx) =>
      requestRun(tx, queue, { source, input: server.url, force: true }),
    )
    const deps = {
      ...underFire.dependencies(),
      dataDir: disk,
      allowPrivateSources: true,
      finalAttempt: false,
      bounds: { syncEveryBytes: 100_000 },
    }
    await expect(runSnapshot(deps, runId)).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
      retry: 'later',
      message: expect.stringMatching(
        `the disk is full, after \\d+ of \\d+ bytes; make room for downloads in PANJI_DATA_DIR \\(${join(disk, 'downloads')}\\)`,
      ),
    })
    expect(spawnSync('mount', ['-o', 'remount,size=32m', disk]).status).toBe(0)
    const sha256 = createHash('sha256').update(whole).digest('hex')
    expect(await runSnapshot(deps, runId)).toMatchObject({ status: 'succeeded', sha256 })
    expect(server.seen.map((each) => each.status)).toEqual([200, 206])
  })
})
