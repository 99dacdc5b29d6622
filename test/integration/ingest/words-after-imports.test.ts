/** The words of a register are those of its records, whatever imports and undos brought these, and whenever they are counted. */
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { wordColumns } from '../../../config/vocabularies.ts'
import type { Db, Tx } from '../../../src/db/db.ts'
import { collectNameWords } from '../../../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../../../src/ingest/after/word-counts.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { raiseVersion } from '../../../src/ingest/run/register-version.ts'
import { type CompanyStep, companyFile, companySteps, dayOf } from '../../support/company-history.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
beforeEach(() => emptyWords())

async function emptyWords(): Promise<void> {
  await emptyRegisters(database.db)
  await database.db.execute(
    'TRUNCATE registry.name_word, registry.name_word_state, registry.held_word, registry.held_word_state',
  )
}

async function applied(step: CompanyStep, shadowTableFrom: number): Promise<number> {
  const asked = { asOf: dayOf(step.day), mode: step.mode, force: true, deps: { shadowTableFrom } }
  const run = await ingest('mca-companies', setup.file('step.csv', companyFile(step)), asked)
  if (run.status !== 'needs_approval') return run.run_id
  await approveRun(database.db, queue, run.run_id)
  return (await runSnapshot({ ...dependencies(), shadowTableFrom }, run.run_id)).run_id
}

async function undone(runId: number): Promise<void> {
  const asked = { runId, through: true, reason: 'the wrong file', requestedBy: 'operator' }
  await runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
}

async function collected(db: Db = database.as('panji_worker')): Promise<void> {
  await collectNameWords(db, 'company')
  await collectHeldWords(db, 'company')
}

const columns = Object.keys(wordColumns.company)
/** Words of names that are missing, and of other columns with the number of their records: kept, and counted one by one. */
async function words() {
  const missing = await database.db.query<{ word: string }>(
    `SELECT DISTINCT word FROM registry.company CROSS JOIN unnest(string_to_array(name_key, ' ')) AS word
     WHERE word <> '' AND word NOT IN (SELECT word FROM registry.name_word WHERE entity = 'company')`,
  )
  const held = await database.db.query<{ cell: string }>(
    `SELECT concat_ws('|', column_name, word, records) AS cell FROM registry.held_word WHERE entity = 'company' ORDER BY 1`,
  )
  const rows = await database.db.query<Record<string, string | null>>(
    `SELECT ${columns.join(', ')} FROM registry.company WHERE closed_on IS NULL`,
  )
  const cells = new Map<string, number>()
  for (const row of rows) {
    for (const column of columns) {
      const word = row[column]
      if (word !== null) cells.set(`${column}|${word}`, (cells.get(`${column}|${word}`) ?? 0) + 1)
    }
  }
  return {
    missing: missing.map(({ word }) => word),
    held: held.map(({ cell }) => cell),
    counted: [...cells].map(([cell, records]) => `${cell}|${records}`).sort(),
  }
}

async function expectWords(): Promise<void> {
  const { missing, held, counted } = await words()
  expect(missing).toEqual([])
  expect(held.sort()).toEqual(counted)
  const [state] = await database.db.query(
    `SELECT v.version = n.version AND v.version = h.version AS newest FROM registry.version v
     JOIN registry.name_word_state n USING (entity) JOIN registry.held_word_state h USING (entity) WHERE entity = 'company'`,
  )
  expect(state).toEqual({ newest: true })
}

const name = fc.constantFrom('KONKAN CASHEW', 'CAFE KONKAN', 'PEDRO PEDRO', 'BLUE LAGOON', 'ZETA', 'CASHEW ZETA')
const between = fc.constantFrom('count', 'count', 'nothing', 'raise')
/** Imports of names that change from one to the next, some of which are undone, with a count of the words or none after each. */
const acts = companySteps.chain((steps) =>
  fc.tuple(
    ...steps.map((step) =>
      fc.record({
        step: fc.constant(step),
        names: fc.array(name, { minLength: 4, maxLength: 4 }),
        afterImport: between,
        isUndone: fc.boolean(),
        afterUndo: between,
      }),
    ),
  ),
)

async function perform(act: 'count' | 'nothing' | 'raise'): Promise<void> {
  if (act === 'raise') await database.db.transaction((tx) => raiseVersion(tx, { entity: 'company' }, null))
  if (act !== 'count') return
  await collected()
  await expectWords()
}

test('every name has its words and every word its records, after any imports and undos between the counts', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      await emptyWords()
      for (const [index, { step, names, afterImport, isUndone, afterUndo }] of all.entries()) {
        const rows = step.rows.map((row, n) => ({ ...row, name: names[n] ?? row.name }))
        const run = await applied({ ...step, rows }, index === 0 ? 0 : 20_000)
        await perform(afterImport)
        if (isUndone) await undone(run)
        await perform(afterUndo)
      }
      await perform('count')
    }),
    { numRuns: draws(15) },
  )
}, 240_000)

const named = (day: number, text: string): CompanyStep => ({
  ...{ mode: 'delta', isShort: true, day },
  rows: [{ n: 1, name: text, status: 'Active', capital: '100000', registrar: 'ROC Goa', address: 'NA' }],
})

test('a name that an undo brought back has its words, though they were never counted before', async () => {
  await applied(named(0, 'KONKAN CASHEW'), 20_000)
  const renaming = await applied(named(1, 'BLUE LAGOON'), 20_000)
  await collected()
  await undone(renaming)
  await collected()
  await expectWords()
})

/** Does something right before the rows are counted, the version having been read. */
const interrupted = (db: Db, work: () => Promise<unknown>): Db => ({
  ...db,
  transaction: (inside, settings) =>
    db.transaction(
      (tx) =>
        inside({
          ...tx,
          execute: async (text: Parameters<Tx['execute']>[0], values?: readonly unknown[]) => {
            if (String(text).startsWith('CREATE TEMPORARY TABLE')) await work()
            return tx.execute(text, values)
          },
        } as Tx),
      settings,
    ),
})

test('an import that commits while words are counted leaves no word out for long: its version is counted for itself', async () => {
  await applied(named(0, 'KONKAN CASHEW'), 20_000)
  await collected()
  await applied(named(1, 'BLUE LAGOON'), 20_000)
  const meanwhile = [named(2, 'ZETA'), named(3, 'CAFE PEDRO')]
  const work = async () => {
    const next = meanwhile.shift()
    if (next) await applied(next, 20_000)
  }
  await collected(interrupted(database.as('panji_worker'), work))
  const behind = await database.db.query(
    `SELECT FROM registry.version v JOIN registry.name_word_state n USING (entity) WHERE n.version = v.version`,
  )
  expect([behind.length, meanwhile.length]).toEqual([0, 0])
  await collected()
  await expectWords()
})
