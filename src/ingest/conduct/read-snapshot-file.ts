/**
 * Reads a run's file for the check. A snapshot of a register that stores what it was last written from is read twice:
 * first for the contents of its records, then for the records that the register does not know. Every other file is
 * staged as a whole.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Connection, Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Compared } from '../check/check.ts'
import { undeclaredDates } from '../check/date-order.ts'
import { hasFingerprints, match } from '../check/match.ts'
import { type CheckPlan, contentColumns, planCheck } from '../check/plan-check.ts'
import type { OpenedInput, OpenInput } from '../input/unpack/read-file.ts'
import type { RunLease } from '../run/run-lease.ts'
import { workTableOf } from '../run/work-tables.ts'
import { readContents } from '../stage/contents.ts'
import { allOrdinals, Ordinals } from '../stage/ordinals.ts'
import type { ReadOptions, ReadThrough } from '../stage/read-snapshot.ts'
import { stage } from '../stage/stage.ts'
import { stageSome } from '../stage/stage-some.ts'
import { unmatchedOrdinals } from '../stage/unmatched-ordinals.ts'

export interface FileToRead {
  readonly db: Db
  readonly connection: Connection
  readonly lease: RunLease
  readonly source: Source
  /** The same bytes each time, unless the file is modified. */
  open(): Promise<OpenedInput>
  optionsFor(input: OpenInput): ReadOptions
  /** Whether the run compares the file with the register, and whether it first reads the contents of the records. */
  readonly compares: boolean
  readonly isReadTwice: boolean
}

/** A file that was read once, completely. */
export interface FileRead {
  readonly read: ReadThrough
  readonly sha256: string
  plan(): Promise<CheckPlan>
  compare(plan: CheckPlan): Promise<Compared>
}

export async function readSnapshotFile(file: FileToRead): Promise<FileRead> {
  const byContents = file.isReadTwice && (await hasFingerprints(file.db, file.source))
  return byContents ? readForContents(file) : readWhole(file)
}

async function readWhole(file: FileToRead): Promise<FileRead> {
  const { db, connection, lease, source } = file
  const input = await file.open()
  const { table, ...read } = await whileOpened(input, () => stage(connection, source, input, file.optionsFor(input)))
  return {
    read,
    sha256: input.sha256(),
    plan: () => planCheck(db, source, read.match, { table }, table),
    compare: async ({ fingerprint }) => {
      const rows = { table, fingerprint }
      const matched = file.compares ? await match(lease, source, rows, recordsOf(read)) : undefined
      return { file: rows, matched, alsoStage: async () => {} }
    },
  }
}

async function readForContents(file: FileToRead): Promise<FileRead> {
  const { db, connection, lease, source } = file
  const input = await file.open()
  const { table, dates, ...read } = await whileOpened(input, () =>
    readContents(connection, source, input, file.optionsFor(input), ({ generation, positions }) => ({
      content: contentColumns(positions),
      dates: undeclaredDates(source, { generation, positions }),
    })),
  )
  const sha256 = input.sha256()
  const stageTable = workTableOf('stage', lease.runId)
  const stageAgain = async (on: Connection, wanted: Pick<Ordinals, 'has'>, into: string | RunLease): Promise<void> => {
    const again = await file.open()
    await whileOpened(again, () => stageSome(on, { source, input: again, wanted, ...file.optionsFor(again) }, into))
    if (again.sha256() !== sha256) {
      throw new AppError(
        'SOURCE_UNREADABLE',
        `${input.name}: the file was changed while it was read. Nothing was applied.`,
      )
    }
  }
  if (!dates) await stageAgain(connection, allOrdinals, lease)
  return {
    read,
    sha256,
    plan: () => planCheck(db, source, read.match, dates ? { dates } : { table: stageTable }, stageTable),
    compare: async ({ fingerprintOfContent }) => {
      const rows = { table, fingerprint: fingerprintOfContent }
      const matched = await match(lease, source, rows, recordsOf(read))
      if (dates) {
        const wanted = matched
          ? await db.transaction((tx) => unmatchedOrdinals(tx, matched.unmatchedTable, recordsOf(read)))
          : allOrdinals
        await stageAgain(connection, wanted, lease)
      }
      const alsoStage = async (tx: Tx, ordinals: readonly number[]): Promise<void> => {
        if (!dates || !matched) return
        const wanted = new Ordinals(recordsOf(read))
        for (const ordinal of ordinals) wanted.add(ordinal)
        await stageAgain(tx, wanted, stageTable)
      }
      return { file: rows, matched, alsoStage }
    },
  }
}

const recordsOf = ({ rowsRead, rejected }: ReadThrough): number => rowsRead - rejected

async function whileOpened<T>(input: OpenedInput, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await input.close()
  }
}
