import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { type Followed, followRecipe } from '../../support/recipe.ts'
import { runNode } from '../../support/run-node.ts'

const database = useTestDatabase()
let followed: Followed
let seen: {
  applied: string[]
  runs: Record<string, unknown>[]
  rows: Record<string, unknown>[]
}

beforeAll(async () => {
  followed = followRecipe('Add a source')
  const fixture = join(followed.tree, 'test/fixtures/registries/bank-branches.csv')
  const longer = join(followed.tree, 'longer.csv')
  writeFileSync(longer, `${readFileSync(fixture, 'utf8')}MNDV0000004,MANDOVI BANK,PONDA,PONDA\n`)
  const asked = {
    urls: [database.url, database.urlAs('panji_api'), database.urlAs('panji_worker')],
    folder: followed.tree,
    source: 'bank-branches',
    snapshots: [
      [fixture, '2026-05-01'],
      [fixture, '2026-06-01'],
      [longer, '2026-07-01'],
    ],
  }
  const child = runNode(join(followed.tree, 'test/support/source-child.ts'), [JSON.stringify(asked)])
  const { stdout, stderr, code } = await child.ended
  expect([code, stderr]).toEqual([0, ''])
  seen = JSON.parse(stdout)
})
afterAll(() => followed.remove())

test('the recipe makes a register by one migration, which the worker fills and the API reads', () => {
  expect(seen.applied).toEqual([expect.stringMatching(/^\d{4}_bank_branches\.sql$/)])
  expect(seen.rows).toMatchObject([
    { ifsc: 'MNDV0000001', bank: 'MANDOVI BANK', branch: 'PANAJI', city: 'Panaji', as_of: '2026-05-01' },
    { ifsc: 'MNDV0000002', city: 'Mapusa', as_of: '2026-05-01', closed_on: null },
    { ifsc: 'MNDV0000004', as_of: '2026-07-01' },
  ])
})

test('ingested twice, its counts add up and the second time changes nothing; a longer file adds what is new in it', () => {
  expect(seen.runs).toMatchObject([
    { status: 'succeeded', rows_read: 3, inserted: 2, rejected: 1, report: { rejects: { value_missing: 1 } } },
    { status: 'no_op', inserted: 0, updated: 0, closed: 0 },
    { status: 'succeeded', rows_read: 4, inserted: 1, updated: 0, closed: 0, rejected: 1 },
  ])
})
