/**
 * Two databases with the same data: in one, the inserts of a first load are implied by the records themselves; in the
 * other the history has a row for each.
 */
import { readFileSync } from 'node:fs'
import { beforeEach, expect } from 'vitest'
import { approveRun } from '../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { type TestDatabase, useTestDatabase } from './database.ts'
import { emptyRegisters, emptyTables } from './empty-tables.ts'
import { historyAnswers } from './history-answers.ts'
import { type IngestSetup, registerContents, registryFixture, useIngest } from './ingest.ts'

const fixtures = {
  'mca-companies': 'mca-companies-2023.csv',
  'gst-taxpayers': 'gst-taxpayers.csv',
  'mca-directors': 'mca-directors.csv',
  'mca-directorships': 'mca-directorships.csv',
  contacts: 'contacts.csv',
} as const
export const knownDirector = '00012345'
const asked = {
  records: [
    ['company', 'U85100GA2022PTC015001'],
    ['company', 'U01110GA2023PTC015002'],
    ['director', knownDirector],
    ['director', '00098765'],
    ['gst', '27AAACR5055K1Z7'],
    ['gst', '29AAICA3918J1ZE'],
  ],
  days: ['2024-12-31', '2025-01-01', '2025-01-15', '2025-02-01', '2025-03-01'],
} as const

export interface Side extends IngestSetup {
  readonly database: TestDatabase
  readonly shadowTableFrom: number
}

export interface ImpliedSides {
  readonly told: Side
  readonly written: Side
  /** Applies the same to both, and checks that every reader of the history gets the same afterwards. */
  compare(act: (side: Side) => Promise<unknown>): Promise<void>
}

/** Call at the top of a file. Each test starts with empty registers and the first run. */
export function useImpliedSides(): ImpliedSides {
  const sideOf = (database: TestDatabase, shadowTableFrom: number): Side => ({
    database,
    ...useIngest(database),
    shadowTableFrom,
  })
  const told = sideOf(useTestDatabase(), 0)
  const written = sideOf(useTestDatabase(), Number.POSITIVE_INFINITY)
  beforeEach(async () => {
    for (const { database } of [told, written]) {
      await emptyRegisters(database.db)
      await emptyTables(database.db, ['ingest.history_retention', 'access.suppression'])
      await database.db.execute('ALTER SEQUENCE ingest.run_run_id_seq RESTART')
    }
  })
  const answers = async ({ database: { db } }: Side) => ({
    answers: await historyAnswers(db, asked),
    contents: await registerContents(db),
  })
  return {
    told,
    written,
    async compare(act) {
      expect(await act(told)).toEqual(await act(written))
      expect(await answers(told)).toEqual(await answers(written))
    },
  }
}

/** @returns the run of each source. */
export async function load(
  side: Side,
  asOf: string,
  change = (text: string) => text,
  by = 'operator',
): Promise<number[]> {
  const runs: number[] = []
  for (const [source, name] of Object.entries(fixtures)) {
    const path = side.file(`${asOf}-${name}`, change(readFileSync(registryFixture(name), 'latin1')))
    const options = { asOf, force: true, requestedBy: by, deps: { shadowTableFrom: side.shadowTableFrom } }
    const run = await side.ingest(source, path, options)
    if (run.status === 'needs_approval') {
      await approveRun(side.database.db, side.queue, run.run_id)
      await runSnapshot({ ...side.dependencies(), shadowTableFrom: side.shadowTableFrom }, run.run_id)
    }
    runs.push(run.run_id)
  }
  return runs
}

/** Some records change, some are missing, some are new. */
export const changed = (text: string): string =>
  text
    .split('\n')
    .filter((_, at) => at !== 3)
    .join('\n')
    .replaceAll(',Active', ',Dormant')
    .replaceAll('Managing Director', 'Director')
    .replaceAll('Office@', 'desk@')
