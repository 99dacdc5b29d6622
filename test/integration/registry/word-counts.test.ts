/** Every word that a register holds can be asked for and is found, however odd it is; what nobody holds is explained. */

import { beforeAll, describe, expect, test } from 'vitest'
import { vocabularies, wordColumns } from '../../../config/vocabularies.ts'
import { collectWordsJob } from '../../../jobs/collect-words.ts'
import { screener } from '../../../src/api/operations/screener/index.ts'
import { wordKey } from '../../../src/domain/word-key.ts'
import { AppError } from '../../../src/errors.ts'
import { collectHeldWords } from '../../../src/ingest/after/word-counts.ts'
import { screenerFields, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { quoted } from '../../../src/registry/screener/tokens.ts'
import { columnOf } from '../../../src/registry/words/word-counts.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { insertCompany, insertGst, raiseVersion } from '../../support/registry-rows.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const { file, ingest, dependencies } = useIngest(database)
let api: BareApi

const odd = [
  'Company limited by Shares',
  'company  LIMITED by shares',
  'Activ',
  'Strike Off',
  "Registrar's own word",
  'क्रियाशील',
  'a%b_c',
  'under   process of striking-off',
  'X',
]
const fields = screenerTypes.flatMap((type) =>
  screenerFields[type]
    .filter(({ vocabulary }) => vocabulary !== undefined && vocabulary !== 'state')
    .map((field) => ({ type, field })),
)

beforeAll(async () => {
  const { db } = database
  api = await bareApi({ db }, routesOf(screener))
  let serial = 0
  for (const { type, field } of fields) {
    const vocabulary = vocabularies[field.vocabulary as keyof typeof vocabularies]
    const column = columnOf(field.column)
    const words = [...Object.entries<readonly string[]>(vocabulary).flat(2), ...odd]
    for (const word of new Set(words)) {
      serial += 1
      const value = field.kind === 'list' ? [word, 'Export'] : word
      if (type === 'company') {
        const cin = `U85100GA2022PTC${String(serial).padStart(6, '0')}`
        await insertCompany(db, { cin, name: `COMPANY ${serial}`, [column]: value })
      } else await insertGst(db, { gstin: `27AAACR${String(serial).padStart(4, '0')}K1Z7`, [column]: value })
    }
  }
  for (const type of screenerTypes) await raiseVersion(db, type)
})

async function totalOf(type: 'company' | 'gst', query: string): Promise<number> {
  return (await runScreener(database.db, { type, query, page: 1, limit: 1 })).total
}

async function everyWordIsFound(): Promise<void> {
  for (const { type, field } of fields) {
    const column = columnOf(field.column)
    const table = type === 'company' ? 'registry.company' : 'registry.gst_taxpayer'
    const member = field.kind === 'list' ? `unnest(r.${column})` : `r.${column}`
    const rows = await database.db.query<{ id: string; word: string }>(
      `SELECT ${type === 'company' ? 'cin' : 'gstin'} AS id, ${member} AS word FROM ${table} r`,
    )
    const held = rows.filter(({ word }) => word !== null)
    const vocabulary = Object.entries<readonly string[]>(vocabularies[field.vocabulary as keyof typeof vocabularies])
    const meaning = (word: string) => {
      const known = vocabulary.find(([first, others]) =>
        [first, ...others].some((each) => wordKey(each) === wordKey(word)),
      )
      return wordKey(known?.[0] ?? word)
    }
    const all = new Set(held.map(({ id }) => id)).size
    for (const [index, word] of [...new Set(held.map((row) => row.word))].entries()) {
      const expected = new Set(held.filter((row) => meaning(row.word) === meaning(word)).map(({ id }) => id)).size
      const query = `${field.name} == ${quoted(word)}`
      expect([query, await totalOf(type, query)]).toEqual([query, expected])
      const other = quoted(
        [word.toUpperCase(), word.toLowerCase(), ` ${word.replaceAll(' ', '  ')}`][index % 3] ?? word,
      )
      const negated = index % 2 === 0 ? `${field.name} != ${other}` : `NOT ${field.name} IN [${other}]`
      expect([negated, await totalOf(type, negated)]).toEqual([negated, all - expected])
    }
  }
}

test('every word that a register holds is found by equality before its words are counted', everyWordIsFound, 120_000)

test('and the same once they are counted', async () => {
  for (const type of screenerTypes) await collectHeldWords(database.as('panji_worker'), type)
  await everyWordIsFound()
}, 120_000)

test("a status that the registrar's files write is asked for in its spelling and in that of the answers", async () => {
  const found = await totalOf('company', "llpStatus == 'Under Process of Striking Off'")
  expect(found).toBeGreaterThan(0)
  expect(await totalOf('company', "llpStatus == 'Under process of striking off'")).toBe(found)
  expect(await totalOf('company', "llpStatus == 'UPSO'")).toBe(found)
})

describe('the field list', () => {
  const listed = async () => (await api.app.inject({ url: '/api/screener/fields' })).json().data as ListedField[]
  interface ListedField {
    readonly type: 'company' | 'gst'
    readonly name: string
    readonly values: readonly string[]
    readonly counts: readonly { readonly value: string; readonly records: number }[]
  }

  test('counts the records of every word that the register holds, and names the words that it does not', async () => {
    for (const type of screenerTypes) await collectHeldWords(database.as('panji_worker'), type)
    const answer = await listed()
    for (const { type, field } of fields) {
      const column = columnOf(field.column)
      const member = field.kind === 'list' ? `unnest(r.${column})` : `r.${column}`
      const rows = await database.db.query<{ value: string; records: number }>(
        `SELECT value, count(DISTINCT id) AS records FROM (
           SELECT ${type === 'company' ? 'cin' : 'gstin'} AS id, ${member} AS value
           FROM ${type === 'company' ? 'registry.company' : 'registry.gst_taxpayer'} r WHERE closed_on IS NULL) AS held
         WHERE value IS NOT NULL GROUP BY value`,
      )
      const shown = answer.find((each) => each.type === type && each.name === field.name)
      const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort()
      expect(sorted(shown?.counts ?? [])).toEqual(sorted(rows))
      expect(shown?.values).toEqual(expect.arrayContaining([...field.values, ...rows.map(({ value }) => value)]))
    }
  })

  test('follows the register once the job of a merge has run', async () => {
    const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
    const line = 'U74999MH2020PTC000001,A PRIVATE LIMITED,A Word Never Seen Before,100000,100000,Private'
    const run = await ingest('mca-companies', file('new.csv', `${header}\n${line}\n`), { mode: 'delta' })
    expect(run).toMatchObject({ status: 'succeeded', inserted: 1 })
    const shown = async () =>
      (await listed()).find(({ name }) => name === 'llpStatus')?.counts.find(({ value }) => /never seen/i.test(value))
    expect(await shown()).toBeUndefined()
    const { db, queue, log, signal } = dependencies()
    await collectWordsJob.handle({ entity: 'company' }, { db, queue, log, signal, attempt: 0 })
    expect(await shown()).toEqual({ value: 'A Word Never Seen Before', records: 1 })
  })
})

describe('a word that no record holds', () => {
  test.each([
    ['company', "llpStatus == 'Amalgmated'", "'Amalgamated'"],
    ['company', "companyCategory == 'Companny limited by shares'", "'Company limited by shares'"],
    ['company', "llpStatus == 'Registrars own wrod'", "'Registrar''s own word'"],
    ['gst', "TaxpayerType == 'Compositon'", "'Composition'"],
    ['gst', "ConstitutionBusiness IN ['Partnership', 'Propietorship']", "'Proprietorship'"],
    ['gst', "BusinessActivities == 'Exports'", "'Export'"],
  ] as const)('%s: %s is answered with a suggestion that finds something', async (type, query, suggestion) => {
    const error = await totalOf(type, query).catch((thrown: unknown) => thrown)
    if (!(error instanceof AppError)) throw new Error(`${query} was not refused`)
    expect(error).toMatchObject({ code: 'QUERY_SYNTAX', extra: { suggestion } })
    const { position, found } = error.extra as { position: number; found: string }
    const fixed = query.slice(0, position) + suggestion + query.slice(position + found.length)
    expect(await totalOf(type, fixed)).toBeGreaterThan(0)
  })

  test('is refused with the words that there are where nothing is like it', async () => {
    await expect(totalOf('company', "llpStatus == 'Zanzibar'")).rejects.toMatchObject({
      code: 'QUERY_SYNTAX',
      extra: { suggestion: null, expected: expect.arrayContaining(["'Active'", "'Activ'"]) },
    })
  })
})

test('every vocabulary column of a register is one whose words are counted', () => {
  for (const { type, field } of fields) expect(Object.keys(wordColumns[type])).toContain(columnOf(field.column))
})
