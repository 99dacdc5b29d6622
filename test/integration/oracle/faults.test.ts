/**
 * Faults that registers had, planted again one by one: the oracle parts from the product in the ordinary run, by files or by sequences,
 * of a register where the fault means something; in the long run of each such register, and whichever seeds are drawn.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import type { Db } from '../../../src/db/db.ts'
import { type Alteration, alteredDb } from '../../support/altered-db.ts'
import { figure, oneOf } from '../../support/figures.ts'
import { foundFirst } from '../../support/found-first.ts'
import { companies } from './sequences/kinds/companies.ts'
import { directors } from './sequences/kinds/directors.ts'
import { gst } from './sequences/kinds/gst.ts'
import { kinds } from './sequences/kinds/index.ts'
import type { RegisterKind } from './sequences/kinds/kind.ts'
import { llps } from './sequences/kinds/llps.ts'
import { useSequences } from './sequences/use-sequences.ts'
import { useDirtyFiles } from './use-dirty-files.ts'

const planting =
  (...alterations: readonly Alteration[]) =>
  (db: Db): Db =>
    alteredDb(db, alterations)

interface Planted {
  readonly name: string
  readonly of: readonly RegisterKind[]
  /** The seed that found it when it was last looked for in the register of the ordinary run, which is told first. */
  readonly finder: number
  readonly alterations: readonly Alteration[]
}
const ofSequences: readonly Planted[] = [
  {
    name: 'lowering a day closes every open record',
    of: [companies, llps, gst, directors],
    finder: 1,
    alterations: [
      [
        'closed_on = CASE WHEN closed_on > $1::date THEN $1::date ELSE closed_on END',
        'closed_on = least(closed_on, $1::date)',
      ],
    ],
  },
  {
    name: 'a file without a state writes that of the identifier over it',
    of: [companies, llps, gst],
    finder: 5,
    alterations: [['coalesce(t.state, c.state)', 'c.state']],
  },
  {
    name: 'a file without towns writes the district over them',
    of: [gst, directors],
    finder: 3,
    alterations: [['coalesce(t.city, c.city)', 'c.city']],
  },
  {
    name: 'a file without the parts of an address empties it',
    of: [gst],
    finder: 1,
    alterations: [['coalesce(c.address, t.address)', 'c.address']],
  },
  {
    name: 'some parts of an address are all of it',
    of: [gst],
    finder: 8,
    alterations: [
      ["(c.address IS NULL OR string_to_array(c.address, ', ') <@ string_to_array(t.address, ', '))", 'false'],
    ],
  },
  {
    name: 'the place of a registration is its address',
    of: [gst],
    finder: 1,
    alterations: [['CASE WHEN num_nonnulls(NULL', 'CASE WHEN num_nonnulls(1, NULL']],
  },
  {
    name: 'a registrar in capitals is another one',
    of: [companies, llps],
    finder: 1,
    alterations: [['coalesce(word_roc_code.value, word_roc_code_loose.value)', 'prepared.f_registrar']],
  },
  {
    name: 'undo leaves the day of a run that was taken back before',
    of: [companies, llps, gst, directors],
    finder: 1,
    alterations: [['OR undone_by IS NOT NULL OR requested_by = $3', 'OR requested_by = $3']],
  },
  {
    name: 'undo takes out what a later snapshot saw again',
    of: [companies, llps, gst, directors],
    finder: 1,
    alterations: [['AND seen.turn > target.turn', 'AND seen.turn > target.turn AND false']],
  },
]

/** In the ordinary run each fault in one of its registers, in the long one in all. */
const inTurn = ofSequences.map((fault, place) => ({ ...fault, of: oneOf(fault.of, place) }))

/** Sources whose files say themselves in which order they write days. */
const undeclared = sources.filter(
  ({ generations, columns }) =>
    generations.some(({ dateOrder }) => dateOrder === undefined) &&
    Object.values(columns).some(({ kind }) => kind === 'date'),
)

/** The seeds of the ordinary run, which find each fault in each register; and others, of which a single register may need more. */
const draws = figure(1, 6)
const first = (draw: number): number => 1 + 10_000 * draw

describe.each(inTurn)('planted: $name', ({ of, finder, alterations }) => {
  const sequences = useSequences(planting(...alterations))

  test.each(of.map((kind) => ({ register: kind.name, kind })))(
    'a sequence of $register parts from its oracle',
    { timeout: 900_000 },
    async ({ kind }) => {
      const seeds = kinds.find((each) => each.kind === kind)?.seeds ?? 0
      for (let draw = 0; draw < draws; draw++) {
        let found: unknown
        const last = first(draw) + (draw === 0 ? seeds : 4 * seeds) - 1
        for (const seed of foundFirst(finder, first(draw), last)) {
          found = await sequences.live(kind, seed).catch((error: unknown) => error)
          if (found !== undefined) break
        }
        expect(String(found), `the seeds from ${first(draw)}`).toMatch(
          /parts from its oracle: (partitions|records|history|the undo|run \d+|Expected values)/,
        )
      }
    },
  )
})

describe('planted: a day that no calendar has proves an order', () => {
  const files = useDirtyFiles()
  beforeAll(async () => {
    const url = new URL('../../../migrations/functions/ingest.date_order.sql', import.meta.url)
    const parts = readFileSync(url, 'utf8').split(/^ +IF ingest\.read_any_date.*\n/m)
    expect(parts).toHaveLength(2)
    await files.database.db.execute(parts.join(''))
  })

  test.each([undefined, ...Array.from({ length: draws - 1 }, (_, draw) => draw + 1)])(
    'a file of some source parts from the oracle, whatever is drawn (%s)',
    { timeout: 900_000 },
    async (seed) => {
      const found: string[] = []
      for (const source of undeclared) {
        await files.agree(source, seed).catch((error: unknown) => found.push(String(error)))
        if (found.length > 0) break
      }
      expect(found[0]).toMatch(/Property failed/)
    },
  )
})
