/** The pages of a filter go to the end of what fits, neither repeat nor skip, and say how many there are. */

import { beforeAll, expect, test } from 'vitest'
import { filters } from '../../../src/api/operations/filters/index.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { raiseVersion } from '../../support/registry-rows.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
let api: BareApi
const holding = 1_120
const rows = 10_300

beforeAll(async () => {
  api = await bareApi({ db: database.db }, routesOf(filters))
  await database.db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, state, first_run_id, last_run_id, as_of)
     SELECT 'U85100GA2022PTC' || lpad(n::text, 6, '0'), 'Company', name, registry.name_key(name), 'Goa', 1, 1, '2025-01-01'
     FROM generate_series(1, $1::integer) AS n,
          LATERAL (SELECT CASE WHEN n <= $2::integer THEN (ARRAY['KONKAN ' || n, n || ' KONKAN', n || ' KONKANI LLP'])[n % 3 + 1]
                               ELSE 'OTHER ' || n END || ' PRIVATE LIMITED' AS name) AS named`,
    [rows, holding],
  )
  await raiseVersion(database.db, 'company')
})

async function page(query: Record<string, string>) {
  const reply = await api.app.inject({ url: '/api/company/company-filter', query })
  const { 'x-total-count': total, 'x-next-cursor': next } = reply.headers
  return { status: reply.statusCode, hits: reply.json(), total: Number(total), next: next as string | undefined }
}

async function walk(query: Record<string, string>, by: 'page' | 'cursor'): Promise<string[]> {
  const seen: string[] = []
  let next: string | undefined
  for (let number = 1; number <= 200; number++) {
    const way = by === 'cursor' && next !== undefined ? { cursor: next } : { page: String(number) }
    const found = await page({ ...query, limit: '100', ...way })
    expect(found.status).toBe(200)
    seen.push(...found.hits.map(({ CIN }: { CIN: string }) => CIN))
    next = found.next
    if (next === undefined) return seen
  }
  throw new Error('the pages do not end')
}

test.each(['page', 'cursor'] as const)('a name that 1,120 companies hold is paged to its end by %s', async (by) => {
  const seen = await walk({ company: 'konkan' }, by)
  expect([seen.length, new Set(seen).size]).toEqual([holding, holding])
  expect((await page({ company: 'konkan' })).total).toBe(holding)
})

test('pages by number and by cursor come in the same order, the best first', async () => {
  const byPage = await walk({ company: 'konkan' }, 'page')
  expect(await walk({ company: 'konkan' }, 'cursor')).toEqual(byPage)
  expect((await page({ company: 'konkan', limit: '1' })).hits[0].companyName).toMatch(/^KONKAN /)
})

test('the total counts what all conditions leave', async () => {
  expect((await page({ company: 'konkan', state: 'Kerala' })).total).toBe(0)
  expect((await page({ company: 'konkan 3' })).total).toBeGreaterThan(0)
  expect((await page({ state: 'Goa' })).total).toBe(rows)
})

test('beyond 10,000 the cursor goes on where page numbers end', async () => {
  expect((await page({ state: 'Goa', limit: '100', page: '101' })).status).toBe(400)
  expect((await walk({ state: 'Goa' }, 'cursor')).length).toBe(rows)
}, 60_000)

test('a word that the key of a name leaves out finds the names that are written with it', async () => {
  const found = await page({ company: 'llp', limit: '100' })
  expect(found.total).toBe(Math.floor((holding + 1) / 3))
  expect(found.hits).toHaveLength(100)
  for (const hit of found.hits) expect(hit.companyName).toMatch(/LLP/)
  expect((await walk({ company: 'llp' }, 'cursor')).length).toBe(found.total)
  expect((await page({ company: '&' })).total).toBe(0)
})

test('a cursor of another search is refused', async () => {
  const { next } = await page({ company: 'konkan' })
  expect((await page({ company: 'other', cursor: next ?? '' })).status).toBe(400)
})

test('spaces around what is asked for narrow nothing', async () => {
  await database.db.execute(`UPDATE registry.company SET city = 'Panaji' WHERE name LIKE 'OTHER 200_ %'`)
  await raiseVersion(database.db, 'company')
  const asked = { city: 'Panaji', state: 'Goa', company: 'other' }
  const spaced = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, ` ${value}\t`]))
  const found = await page(asked)
  expect(found.total).toBe(10)
  expect(await page(spaced)).toEqual(found)
  expect((await page({ city: ' ' })).status).toBe(400)
})
