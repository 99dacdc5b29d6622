/** Pages of a state's GST registrations are those of a plain query, though some bear the code of another state. */
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { filterGst } from '../../../src/registry/filters.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
/** Its version goes on: what was read of the one before holds no more. */
const empty = () => database.db.execute('DELETE FROM registry.gst_taxpayer')
beforeEach(empty)

const codes = { Maharashtra: '27', 'Andhra Pradesh': '37', Kerala: '32', 'Other Territory': '97' } as const
type Place = keyof typeof codes
const place = fc.constantFrom(...(Object.keys(codes) as Place[]))
const registration = fc.record({
  n: fc.integer({ min: 0, max: 999 }),
  state: fc.option(place, { freq: 12 }),
  /** In place of the code of its state. */
  otherCode: fc.constantFrom(undefined, undefined, undefined, '05', '27', '28', '37', '97'),
  status: fc.constantFrom('Active', 'Active', 'Cancelled'),
  day: fc.option(fc.constantFrom('2017-07-01', '2017-07-02', '2020-02-29', '2024-05-06'), { freq: 6 }),
  closed: fc.constantFrom(null, null, null, '2025-02-01'),
})
type Registration = Omit<typeof registration extends fc.Arbitrary<infer T> ? T : never, 'day'> & {
  readonly day: string | null
}
const world = fc.uniqueArray(registration, { selector: ({ n }) => n, minLength: 8, maxLength: 60 })

async function write(rows: readonly Registration[]): Promise<void> {
  const given = rows.map(({ n, state, otherCode, ...row }) => {
    const code = otherCode ?? (state === null ? '29' : codes[state])
    return { ...row, state, gstin: `${code}AAACH${String(n).padStart(4, '0')}F1Z5` }
  })
  await database.db.execute(
    `INSERT INTO registry.gst_taxpayer (gstin, kind, name_key, state, status, registered_on, closed_on, first_run_id, last_run_id, as_of)
     SELECT gstin, 'normal', 'a', state, status, day, closed, 1, 1, '2025-01-01'
     FROM jsonb_to_recordset($1::jsonb) AS g (gstin text, state text, status text, day date, closed date)
     ON CONFLICT (gstin) DO UPDATE SET state = excluded.state, status = excluded.status, registered_on = excluded.registered_on,
       closed_on = excluded.closed_on`,
    [JSON.stringify(given)],
  )
  await raiseVersion(database.db, 'gst')
}

interface Question {
  readonly query: string
  readonly where: string
}
const question = fc.tuple(place, fc.constantFrom('', 'Active', 'Cancelled')).map(([state, status]): Question => {
  const also = status === '' ? '' : ` AND Status == '${status}'`
  return {
    query: `state == '${state}'${also}`,
    where: `state = '${state}'${status === '' ? '' : ` AND status = '${status}'`}`,
  }
})

/** Read to its end, by cursors and by the numbers of its pages. */
async function pages(query: string, limit: number): Promise<{ byCursor: string[]; byNumber: string[] }> {
  const byCursor: string[] = []
  const byNumber: string[] = []
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const asked = { type: 'gst', query, limit } as const
    const numbered = await runScreener(database.db, { ...asked, page })
    byNumber.push(...numbered.results.map(({ GSTIN }) => GSTIN))
    const next = await runScreener(database.db, { ...asked, page: 1, ...(cursor === undefined ? {} : { cursor }) })
    byCursor.push(...next.results.map(({ GSTIN }) => GSTIN))
    if (next.next_cursor === null) return { byCursor, byNumber }
    cursor = next.next_cursor
  }
}

/** The same of the filter. */
async function filtered(where: string, limit: number): Promise<string[]> {
  const [, state, , status] = where.split("'")
  const found: string[] = []
  let cursor: string | undefined
  do {
    const asked = { state, statuses: status === undefined ? undefined : [status.toLowerCase()] }
    const page = await filterGst(database.db, { ...asked, page: 1, limit, cursor })
    found.push(...page.results.map(({ GSTIN }) => GSTIN))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

async function plain(where: string): Promise<string[]> {
  const rows = await database.db.query<{ gstin: string }>(
    `SELECT gstin FROM registry.gst_taxpayer WHERE closed_on IS NULL AND ${where} ORDER BY gstin`,
  )
  return rows.map(({ gstin }) => gstin)
}

test('pages of a state hold all of its registrations in order, those with the code of another state among them', async () => {
  let astray = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(world, { minLength: 1, maxLength: 2 }),
      question,
      fc.integer({ min: 1, max: 12 }),
      async (worlds, { query, where }, limit) => {
        await empty()
        for (const rows of worlds) {
          await write(rows)
          const expected = await plain(where)
          expect(await pages(query, limit)).toEqual({ byCursor: expected, byNumber: expected })
          expect(await filtered(where, limit)).toEqual(expected)
          const code = codes[where.split("'")[1] as Place]
          astray += expected.filter((gstin) => gstin < code).length
        }
      },
    ),
    { numRuns: draws(40) },
  )
  expect(astray).toBeGreaterThan(10)
}, 120_000)

test('so they do where more registrations bear the code of another state than are named one by one', async () => {
  await database.db.execute(
    `INSERT INTO registry.gst_taxpayer (gstin, kind, name_key, state, status, registered_on, first_run_id, last_run_id, as_of)
     SELECT CASE WHEN n <= 1001 THEN '05' ELSE '27' END || 'AAACH' || lpad(n::text, 4, '0') || 'F1Z5', 'normal', 'a', 'Maharashtra', 'Active',
            date '2020-01-01' + n % 30, 1, 1, '2025-01-01' FROM generate_series(1, 1100) AS n`,
  )
  await raiseVersion(database.db, 'gst')
  const expected = await plain(`state = 'Maharashtra'`)
  expect(expected).toHaveLength(1100)
  expect(await pages(`state == 'Maharashtra'`, 90)).toEqual({ byCursor: expected, byNumber: expected })
})

test('and where a day of registration is centuries away from the others', async () => {
  const row = { status: 'Active', closed: null, state: 'Kerala', otherCode: undefined, day: '2024-05-06' } as const
  const others = Array.from({ length: 30 }, (_, n) => ({ ...row, n }))
  await write([...others, { ...row, n: 31, day: '1017-07-01' }, { ...row, n: 32, otherCode: '05' }])
  const expected = await plain(`state = 'Kerala'`)
  expect(expected).toHaveLength(32)
  expect(await pages(`state == 'Kerala'`, 7)).toEqual({ byCursor: expected, byNumber: expected })
})
