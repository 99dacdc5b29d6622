/** Everything that readers of the history get for a few records and runs, without timestamps. */
import type { Db } from '../../src/db/db.ts'
import type { EntityType } from '../../src/domain/identity.ts'
import { AppError } from '../../src/errors.ts'
import { changesCsvParts } from '../../src/ingest/conduct/changes-csv.ts'
import { readChanges } from '../../src/ingest/conduct/read-changes.ts'
import { readOrigin, readTrace } from '../../src/registry/history/lineage.ts'
import { readCompanyAsOf, readDirectorAsOf, readGstAsOf } from '../../src/registry/history/read-as-of.ts'
import { type HistoryEntry, readHistory } from '../../src/registry/history/read-history.ts'
import { gatherReached, gatherTouched } from '../../src/standing/touched.ts'

const readAsOf = { company: readCompanyAsOf, gst: readGstAsOf, director: readDirectorAsOf } as const

/** @returns the answer, with the day that a refusal names. */
const answered = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError) return [error.code, error.message]
    throw error
  })

export interface Asked {
  readonly records: readonly (readonly [entity: EntityType, identifier: string])[]
  readonly days: readonly string[]
}

export async function historyAnswers(db: Db, { records, days }: Asked): Promise<unknown> {
  const found: unknown[] = []
  for (const [entity, identifier] of records) {
    found.push(await wholeHistory(db, entity, identifier))
    found.push(await readTrace(db, entity, identifier), await readOrigin(db, entity, identifier))
    for (const day of days) found.push([identifier, day, await answered(readAsOf[entity](db, identifier, day))])
  }
  const runs = await db.query<{ run_id: number }>('SELECT run_id FROM ingest.run ORDER BY run_id')
  for (const { run_id } of runs) found.push(await answersOfRun(db, run_id))
  return JSON.parse(JSON.stringify(found, (name, value) => (name === 'changed_at' ? undefined : value)))
}

/** Page by page, in order for each record. */
async function wholeHistory(db: Db, entity: EntityType, identifier: string): Promise<unknown> {
  const entries: HistoryEntry[] = []
  for (let page = 1; ; page++) {
    const read = await readHistory(db, { entity, identifier, withDirectorships: true, limit: 3, page })
    entries.push(...(read?.data ?? []))
    if (!read || read.data.length < 3)
      return [
        read?.total,
        entries.toSorted((one, other) =>
          one.identifier < other.identifier ? -1 : Number(one.identifier > other.identifier),
        ),
      ]
  }
}

/** What a run changed, page by page and as a file, and what standing orders regard as touched. */
async function answersOfRun(db: Db, run: number): Promise<unknown> {
  const changes: unknown[] = []
  for (let after = 0; ; ) {
    const { data, more } = await readChanges(db, run, { after, limit: 4 })
    changes.push(...data.map(({ entity, identifier, kind, fields }) => [entity, identifier, kind, fields].join(' ')))
    after = data.at(-1)?.change_id ?? after
    if (!more) break
  }
  const lines: string[] = []
  for await (const part of await changesCsvParts(db, run, {})) lines.push(...part.split('\r\n'))
  const inserts = await readChanges(db, run, { kind: 'insert', after: 0, limit: 1000 })
  const touched = await db.transaction(async (tx) => [
    ...[await gatherTouched(tx, 'company', run), await gatherTouched(tx, 'gst', run)],
    await gatherReached(tx, 'company', run),
  ])
  // A first load writes in the order of its file or in that of the identifiers.
  const withoutNumbers = lines.map((line) => line.replace(/^"\d+"/, '')).toSorted()
  return { run, changes: changes.toSorted(), csv: withoutNumbers, inserts: inserts.data.length, touched }
}
