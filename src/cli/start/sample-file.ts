/** What the data directory stores about the sample world, so that later starts can show its key again; mode 0600. */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { writeWhole } from '../../db/whole-file.ts'
import type { DemoAccount } from './demo-account.ts'

export interface SampleFile {
  /** Absent once the sample world was removed; then no start loads it again. */
  readonly account?: DemoAccount
  readonly orderId?: string
  readonly cin?: string
  /** Settings of the sandbox payment processor. */
  readonly payments?: Readonly<Record<string, string>>
  readonly removed?: true
}

const pathIn = (dataDir: string): string => join(dataDir, 'sample-world.json')

export const readSampleFile = (dataDir: string): SampleFile | undefined =>
  existsSync(pathIn(dataDir)) ? (JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as SampleFile) : undefined

export function keepSampleFile(dataDir: string, file: SampleFile): SampleFile {
  writeWhole(pathIn(dataDir), JSON.stringify(file))
  return file
}

/** Where its snapshots are written. */
export const sampleSnapshotsIn = (dataDir: string): string => join(dataDir, 'sample')

/** Whether the records of a file are invented. @param path without links. */
export function isSampleSnapshot(dataDir: string, path: string): boolean {
  const folder = sampleSnapshotsIn(dataDir)
  return existsSync(folder) && path.startsWith(realpathSync(folder) + sep)
}

/** Where the sandboxes keep their records across starts. */
export const sandboxRecordsIn = (dataDir: string): string => join(dataDir, 'sandbox-records.json')

/** Running sandboxes write their records when they stop, so the next start deletes them once more. */
export function forgetSample(dataDir: string): void {
  keepSampleFile(dataDir, { removed: true })
  rmSync(sampleSnapshotsIn(dataDir), { recursive: true, force: true })
  rmSync(sandboxRecordsIn(dataDir), { force: true })
}
