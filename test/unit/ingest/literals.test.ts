/** What config declares is pasted into statements as text, so whatever it holds must stay within its quotes. */
import { expect, test } from 'vitest'
import type { Source } from '../../../config/sources/source.ts'
import type { Vocabulary } from '../../../config/vocabularies.ts'
import { checkStatement } from '../../../src/ingest/check/statement.ts'

const planted = `People's || (SELECT 1) -- \\`
const source: Source = {
  name: 'planted',
  entity: 'planted',
  table: 'registry.planted',
  key: 'id',
  defaultMode: 'snapshot',
  generations: [{ name: 'planted', required: ['a'], columns: { a: ['A'], b: ['B'] } }],
  bounds: { rowsMin: 0, rowsMax: 1, rejectedShareMax: 1, closedShareMax: 1 },
  columns: {
    id: { kind: 'joined', columns: ['a', 'b'], separator: planted, named: ['a'] },
    a: { kind: 'text', from: 'a', required: true, fallback: planted, oneOf: [planted] },
    b: { kind: 'list', from: 'b', separator: planted },
    c: { kind: 'word', from: 'a', vocabulary: planted as Vocabulary },
  },
}

test.each([
  ['as every literal', planted],
  ['as a name of a shop', "People's"],
  ['as a quote alone', "'"],
  ['as a backslash before the quote that ends it', '\\'],
])('a word of a declaration stays within its quotes: %s', (_, text) => {
  const declared = JSON.parse(JSON.stringify(source).replaceAll(JSON.stringify(planted), JSON.stringify(text)))
  const sql = checkStatement(declared as Source, {
    stageTable: 'ingest.stage_0',
    positions: new Map([
      ['a', 1],
      ['b', 2],
    ]),
    hasPinDirectory: false,
    hasNicList: false,
    dateOrders: new Map(),
  }).select('0', '')
  const { literals, rest } = cutOut(sql)
  // Fallback, both separators, the word that is allowed and the two joins of a vocabulary.
  expect(literals.filter((each) => each === text).length).toBeGreaterThanOrEqual(4)
  expect(literals).toContain(`exact ${text}`)
  expect(rest).not.toMatch(/People|SELECT 1|--|['\\]/)
})

/** The literals of a statement as the server reads them, and the statement without them. */
function cutOut(sql: string): { literals: string[]; rest: string } {
  const literals: string[] = []
  const rest = sql.replace(/\bE'((?:[^'\\]|''|\\.)*)'|'((?:[^']|'')*)'/gs, (_, escaped?: string, plain?: string) => {
    literals.push((escaped?.replace(/\\(.)/gs, '$1') ?? plain ?? '').replaceAll("''", "'"))
    return ''
  })
  return { literals, rest }
}
