import { beforeAll, expect, test } from 'vitest'
import { reference } from '../../../src/api/operations/reference/index.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
let api: BareApi

beforeAll(async () => {
  const { db } = database
  api = await bareApi({ db }, routesOf(reference))
  await db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of) VALUES
       ('0902', 'Tea, whether or not flavoured', 9, 'II', 1, 1, '2025-01-01'),
       ('09021000', 'Green tea (not fermented)', 9, 'II', 1, 1, '2025-01-01'),
       ('8471', 'Automatic data processing machines', 84, 'XVI', 1, 1, '2025-01-01')`,
  )
  await db.execute(
    `INSERT INTO reference.sac (code, description, first_run_id, last_run_id, as_of) VALUES
       ('998313', 'Information technology consulting and support services', 1, 1, '2025-01-01')`,
  )
  await db.execute(
    `INSERT INTO reference.nic (id, vintage, code, level, section, division, description, first_run_id, last_run_id, as_of) VALUES
       ('2008:01110', 2008, '01110', 'sub-class', 'A', 1, 'Growing of cereals', 1, 1, '2025-01-01'),
       ('2008:72200', 2008, '72200', 'sub-class', 'M', 72, 'Research in social sciences', 1, 1, '2025-01-01'),
       ('2004:72200', 2004, '72200', 'sub-class', 'K', 72, 'Software consultancy', 1, 1, '2025-01-01')`,
  )
})

const get = async (url: string) => {
  const reply = await api.app.inject(url)
  return { status: reply.statusCode, body: reply.json() }
}

test('HSN codes are found by exact code, by beginning and by words, the broader code first', async () => {
  const tea = { code: '0902', description: 'Tea, whether or not flavoured', chapter: 9, section: 'II' }
  expect((await get('/api/reference/hsn?code=0902&limit=1')).body).toEqual({ data: [tea] })
  const codes = async (query: string) =>
    (await get(`/api/reference/hsn?${query}`)).body.data.map((each: { code: string }) => each.code)
  expect(await codes('code=09')).toEqual(['0902', '09021000'])
  expect(await codes('search=TEA%20green')).toEqual(['09021000'])
  expect(await codes('code=84&search=tea')).toEqual([])
})

test('an HSN code is found without the zero that a spreadsheet took, after the codes that begin as typed', async () => {
  await database.db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of)
     SELECT code, 'Fish', left(code, 2)::integer, 'I', 1, 1, '2025-01-01'
     FROM (VALUES ('030559'), ('03055910'), ('05119110'), ('511190')) AS given (code)`,
  )
  const codes = async (code: string) =>
    (await get(`/api/reference/hsn?code=${code}`)).body.data.map((each: { code: string }) => each.code)
  expect(await codes('30559')).toEqual(['030559', '03055910'])
  expect(await codes('5119110')).toEqual(['05119110'])
  expect(await codes('511')).toEqual(['511190', '05119110'])
  expect(await codes('3055')).toEqual([])
  await database.db.execute(`DELETE FROM reference.hsn WHERE description = 'Fish'`)
})

test('whole words of a description come before beginnings of words, and these before parts, each the broader code first', async () => {
  await database.db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of)
     SELECT code, description, left(code, 2)::integer, 'IV', 1, 1, '2025-01-01'
     FROM (VALUES ('49', 'Other products of the printing industry'), ('80', 'TIN AND ARTICLES THEREOF'), ('2002', 'Tomatoes, tinned'),
       ('8311', 'Rods of tin (100%)'), ('8309', 'Caps of base metal, for tins')) AS given (code, description)`,
  )
  const codes = async (query: string) =>
    (await get(`/api/reference/hsn?${query}`)).body.data.map((each: { code: string }) => each.code)
  expect(await codes('search=tin')).toEqual(['80', '8309', '8311', '2002', '49'])
  expect(await codes('search=tin%20tomatoes')).toEqual(['2002'])
  expect(await codes('search=tin&code=49')).toEqual(['49'])
  expect(await codes('search=(100%25)')).toEqual(['8311'])
  expect(await codes('search=t.n')).toEqual([])
})

test('a search for any number of words is answered, and each of them must occur', async () => {
  const { db } = database
  const letters = [...'abcdefghijklmnopqrstuvwxyz', ...'0123456789', ...'αβγδεζηθικλμνξοπρστυφχψω']
  await db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of) VALUES
       ('97', $1, 97, 'XXI', 1, 1, '2025-01-01'), ('9701', $2, 97, 'XXI', 1, 1, '2025-01-01')`,
    [`Signs: ${letters.join('')}`, `Signs: ${letters.join(', ')}`],
  )
  const codes = async (words: string[]) =>
    (await get(`/api/reference/hsn?search=${encodeURIComponent(words.join(' '))}`)).body.data.map(
      (each: { code: string }) => each.code,
    )
  expect(letters).toHaveLength(60)
  expect(await codes(letters)).toEqual(['9701', '97'])
  expect(await codes([...letters, 'missing'])).toEqual([])
})

test('a word counts as whole between any signs, and also if it was typed with some', async () => {
  await database.db.execute(
    `INSERT INTO reference.hsn (code, description, chapter, section, first_run_id, last_run_id, as_of) VALUES
       ('7207', 'Semi-finished products (of iron/steel)', 72, 'XV', 1, 1, '2025-01-01'),
       ('72', 'Semi-finishedness of steelworks', 72, 'XV', 1, 1, '2025-01-01')`,
  )
  const codes = async (search: string) =>
    (await get(`/api/reference/hsn?search=${search}`)).body.data.map((each: { code: string }) => each.code)
  expect(await codes('steel')).toEqual(['7207', '72'])
  expect(await codes('semi-finished')).toEqual(['7207', '72'])
})

test('NIC codes are numbers, and one edition is searched at a time', async () => {
  expect((await get('/api/reference/nic?code=0111')).body.data).toEqual([
    { code: 1110, description: 'Growing of cereals', section: 'A', division: 1, vintage: 2008 },
  ])
  expect((await get('/api/reference/nic?code=72200')).body.data).toMatchObject([
    { description: 'Research in social sciences' },
  ])
  expect((await get('/api/reference/nic?code=72200&vintage=2004')).body.data).toMatchObject([
    { description: 'Software consultancy' },
  ])
})

test('a NIC code is found by the number that answers show, its lost zero or not, before those that begin so', async () => {
  const codes = async (query: string) =>
    (await get(`/api/reference/nic?${query}`)).body.data.map((each: { code: number }) => each.code)
  expect(await codes('code=1110')).toEqual([1110])
  expect(await codes('code=01110')).toEqual([1110])
  expect(await codes('code=1110&search=research')).toEqual([])
  await database.db.execute(
    `INSERT INTO reference.nic (id, vintage, code, level, section, division, description, first_run_id, last_run_id, as_of)
     SELECT '2008:' || code, 2008, code, 'any', 'C', left(code, 2)::integer, 'Beverages', 1, 1, '2025-01-01'
     FROM unnest(ARRAY['11', '011', '110', '0110']) AS code`,
  )
  const found = await codes('code=11')
  await database.db.execute(`DELETE FROM reference.nic WHERE description = 'Beverages'`)
  expect(found).toEqual([11, 11, 110])
})

test('SAC codes are found by code and by words', async () => {
  const data = [{ code: '998313', description: 'Information technology consulting and support services' }]
  expect((await get('/api/reference/sac?code=9983')).body).toEqual({ data })
  expect((await get('/api/reference/sac?search=consulting')).body).toEqual({ data })
})

test.each(['hsn', 'sac', 'nic'])('%s wants code or search, and at most 50 records', async (list) => {
  expect(await get(`/api/reference/${list}`)).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/code, search or both/) },
  })
  expect((await get(`/api/reference/${list}?code=1&limit=51`)).status).toBe(400)
  expect((await get(`/api/reference/${list}?code=1&limit=50`)).status).toBe(200)
  expect((await get(`/api/reference/${list}?search=%00`)).status).toBe(400)
})
