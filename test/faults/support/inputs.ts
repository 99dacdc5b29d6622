/** Bad inputs for a register that serves good data: workers that take one run in each, and what they may have changed. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect } from 'vitest'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { getRun, type RunRecord } from '../../../src/ingest/run/runs.ts'
import { companyFile } from '../../support/company-lines.ts'
import type { TestDatabase } from '../../support/database.ts'
import { type IngestSetup, registerContents, stagingTables } from '../../support/ingest.ts'
import { runNode } from '../../support/run-node.ts'

const child = fileURLToPath(new URL('../input-child.ts', import.meta.url))
export const source = 'mca-companies'
export const mebibyte = 2 ** 20

export function useInputWorkers(database: TestDatabase, { folder, queue }: IngestSetup) {
  async function start(input: string, bounds: Partial<FetchBounds> = {}, knownRun?: number) {
    const runId =
      knownRun ?? (await database.db.transaction((tx) => requestRun(tx, queue, { source, input, force: true }))).runId
    return {
      runId,
      worker: runNode(child, [database.urlAs('panji_worker'), String(runId), folder, JSON.stringify(bounds)]),
    }
  }

  /** In a process of its own, whose memory is measured from its beginning. */
  async function measured(input: string): Promise<{ run: RunRecord; peakBytes: number }> {
    const { runId, worker } = await start(input)
    const { stdout, stderr } = await worker.ended
    const [line] = stdout.split('\n').filter((each) => each.startsWith('{'))
    if (line === undefined) throw new Error(`the worker said nothing: ${stderr}`)
    const { peakBytes } = JSON.parse(line) as { peakBytes: number }
    const run = await getRun(database.db, runId)
    console.log(`${expect.getState().currentTestName}: ${run.status}, ${Math.round(peakBytes / mebibyte)} MiB at most`)
    return { run, peakBytes }
  }

  return { start, measured }
}

/** Call at the top of a file: the register holds the companies 1 to 50. */
export function useGoodRegister(database: TestDatabase, { folder, file, ingest }: IngestSetup) {
  beforeAll(async () => {
    expect(await ingest(source, file('good.csv', companyFile(50)))).toMatchObject({ status: 'succeeded', inserted: 50 })
  })

  /** Nothing is published, nothing is left behind, and the last good data is served. */
  return async function expectAsBefore(before: Record<string, unknown[]>): Promise<void> {
    expect(await registerContents(database.db)).toEqual(before)
    expect(await stagingTables(database.db)).toEqual([])
    expect(existsSync(join(folder, 'downloads')) ? readdirSync(join(folder, 'downloads')) : []).toEqual([])
  }
}
