import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { useTestDatabase } from '../../support/database.ts'
import { type Followed, followRecipe } from '../../support/recipe.ts'
import { runNode } from '../../support/run-node.ts'

const cin = 'U72200GA2015PTC007712'
const header = 'CIN,CompanyName,CompanyStatus,AuthorizedCapital,PaidupCapital,CompanyClass,EMAIL,ACTIVE_COMPLIANCE'
const snapshot = (word: string) =>
  `${header}\n${cin},MANDOVI BOATS PRIVATE LIMITED,Active,100000,100000,Private,office@mandovi.example,${word}\n`

const database = useTestDatabase()
let followed: Followed
let seen: {
  applied: string[]
  statuses: string[]
  details: { data: Record<string, unknown> }
  history: { data: { kind: string; changes: { field: string }[] }[] }
  found: { results: { CIN: string }[] }
  document: { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
  lead: { row: Record<string, unknown>; fullData: { company: Record<string, unknown> } }
}

beforeAll(async () => {
  followed = followRecipe('Add a column')
  const snapshots = [
    ['Not Compliant', '2026-05-01'],
    ['ACTIVE Compliant', '2026-06-01'],
  ].map(([word = '', day = '']) => {
    const path = join(followed.tree, `${day}.csv`)
    writeFileSync(path, snapshot(word))
    return [path, day]
  })
  const asked = {
    urls: [database.url, database.urlAs('panji_api'), database.urlAs('panji_worker')],
    folder: followed.tree,
    source: 'mca-companies',
    snapshots,
    cin,
    query: "activeCompliance == 'ACTIVE Compliant'",
  }
  const child = runNode(join(followed.tree, 'test/support/column-child.ts'), [JSON.stringify(asked)])
  const { stdout, stderr, code } = await child.ended
  expect([code, stderr]).toEqual([0, ''])
  seen = JSON.parse(stdout)
})
afterAll(() => followed.remove())

test('the recipe gives the table its column by one migration, and both snapshots are ingested', () => {
  expect(seen.applied).toEqual([expect.stringMatching(/^\d{4}_active_compliance\.sql$/)])
  expect(seen.statuses).toEqual(['succeeded', 'succeeded'])
})

test('details, the document, the nested lead and its row show the new column, after those that were there', () => {
  expect(seen.details.data).toHaveProperty('activeCompliance', 'ACTIVE Compliant')
  expect(Object.keys(seen.details.data).at(-1)).toBe('activeCompliance')
  expect(Object.keys(seen.document.components.schemas['CompanyDetails']?.properties ?? {})).toContain(
    'activeCompliance',
  )
  expect(seen.lead.fullData.company).toHaveProperty('activeCompliance', 'ACTIVE Compliant')
  expect(Object.keys(seen.lead.row).at(-1)).toBe('activeCompliance')
  expect(seen.lead.row['activeCompliance']).toBe('ACTIVE Compliant')
})

test('the screener finds records by it, and a history shows its previous value', () => {
  expect(seen.found.results.map(({ CIN }) => CIN)).toEqual([cin])
  expect(seen.history.data.map(({ kind }) => kind)).toEqual(['update', 'insert'])
  expect(seen.history.data[0]?.changes).toEqual([
    { field: 'activeCompliance', before: 'Not Compliant', after: 'ACTIVE Compliant' },
  ])
})

test('what the recipe says to run exists', () => {
  expect(followed.commands.length).toBeGreaterThan(2)
  for (const command of followed.commands) {
    const script = /^npm run (\S+)/.exec(command)?.[1]
    const path = /^npx vitest run --project \w+ (\S+)/.exec(command)?.[1]
    expect(script !== undefined ? script in packageFile.scripts : existsSync(path ?? ''), command).toBe(true)
  }
})
