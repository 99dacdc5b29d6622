import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gstinCheckDigit, parseGstin } from '../../../src/domain/gstin.ts'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

async function fixed(values: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.db.query<{ answer: string | null }>(
    `SELECT coalesce(ingest.gstin(v), ingest.gstin_repaired(v)) AS answer
     FROM unnest($1::text[]) WITH ORDINALITY AS given(v, n) ORDER BY n`,
    [values],
  )
  return rows.map(({ answer }) => answer)
}

test.each([
  ['a letter O for a zero among the digits of the PAN', '27AAACR5O55K1Z7', '27AAACR5055K1Z7'],
  ['letters O and I in the state code, and a zero among letters', 'O6AAACCG0527D1Z8', null],
  ['a letter O in the state code', 'O6AACCG0527D1Z8', '06AACCG0527D1Z8'],
  ['a letter I for a one in a year', '07I7UNO00157UNO', '0717UNO00157UNO'],
  ['zeros for the letters of a country', '0717UN000157UN0', '0717UNO00157UNO'],
  ['a letter O for the check digit zero', '27AAACH2702H1ZO', '27AAACH2702H1Z0'],
  ['small letters and spaces', ' 27 aaacr 5o55k1z7', '27AAACR5055K1Z7'],
  ['a number of a tax deductor on a TAN', 'O6DELI09652G1DA', '06DELI09652G1DA'],
  ['letters O in a state code that does not exist', 'OOAAACR5055K1ZN', null],
  ['a wrong check digit', '27AABCU9603R1ZM', null],
  ['a letter O and a wrong check digit', '27AAACR5O55K1Z8', null],
  ['a letter I where a one may stand as well', '27AAACR5055KIZ7', null],
  ['a letter S for a five', '27AAACRS055K1Z7', null],
])('%s: %s is read as %s', async (_, given, expected) => {
  expect(await fixed([given])).toEqual([expected])
})

test('the registers accept the state codes that a request may name, and no other', async () => {
  const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'))
  const given = codes.map((code) => `${code}AAACR5055K1Z`).map((first14) => first14 + gstinCheckDigit(first14))
  expect(await fixed(given)).toEqual(given.map((gstin) => (parseGstin(gstin).ok ? gstin : null)))
})

test('a GSTIN whose digits became letters, or letters digits, comes back as it was, or not at all', async () => {
  const letters = (count: number) => fc.stringMatching(new RegExp(`^[A-Z]{${count}}$`))
  const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
  const valid = fc
    .tuple(
      fc.constantFrom('01', '10', '27', '31', '38', '97', '99'),
      letters(5),
      digits(4),
      letters(1),
      fc.constantFrom('1', '2', 'A'),
      fc.constant('Z'),
    )
    .map((parts) => parts.join(''))
    .map((first14) => first14 + gstinCheckDigit(first14))
  const looks: Readonly<Record<string, string>> = { O: '0', '0': 'O', I: '1', '1': 'I' }
  const misread = fc.tuple(valid, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })).map(([gstin, flips]) => ({
    gstin,
    typed: [...gstin].map((character, at) => (flips[at] ? (looks[character] ?? character) : character)).join(''),
  }))
  await fc.assert(
    fc.asyncProperty(fc.array(misread, { minLength: 100, maxLength: 100 }), async (cases) => {
      const answers = await fixed(cases.map(({ typed }) => typed))
      for (const [index, { gstin, typed }] of cases.entries()) {
        const answer = answers[index] ?? null
        // Another kind of number may fit as well by accident; then nothing is proved and nothing is guessed.
        expect([typed, answer === null || answer === gstin || parseGstin(typed).ok]).toEqual([typed, true])
      }
      const read = answers.filter((answer, index) => answer === cases[index]?.gstin)
      expect(read.length).toBeGreaterThan(95)
    }),
    { numRuns: draws(20) },
  )
})

test('each repair of an identifier is counted by its kind, and what nothing proves is rejected', async () => {
  const gst = [
    'gstin,lgnm,dty,sts,rgdt',
    '27aaacr5055k1z7,SMALL LETTERS,Regular,Active,01/07/2017',
    '29 AAICA 3918J 1ZE,SPACES,Regular,Active,01/07/2017',
    'O6AACCG0527D1Z8,A LETTER O,Regular,Active,01/07/2017',
    '27AABCU96O3R1ZM,A LETTER O AND A WRONG CHECK DIGIT,Regular,Active,01/07/2017',
    '',
  ]
  const taxpayers = await ingest('gst-taxpayers', file('gst.csv', gst.join('\n')), { mode: 'delta' })
  expect(taxpayers).toMatchObject({ rows_read: 4, inserted: 3, rejected: 1 })
  expect(taxpayers.report).toMatchObject({
    repaired: { gstin_case: 1, gstin_spaces: 1, gstin_look_alike: 1 },
    rejects: { gstin_malformed: 1 },
  })
  expect(await listRejects(database.db, taxpayers.run_id)).toMatchObject([{ line: 5, code: 'gstin_malformed' }])

  const directors = ['DIN,FullName,DINStatus', '12345,LOST ZEROS,Approved', '0009 8765,A SPACE,Approved']
  const noNumbers = ['OOO12345,LETTERS O,Approved', '0,ZERO,Approved', '123456789,NINE DIGITS,Approved', '']
  const people = await ingest('mca-directors', file('din.csv', [...directors, ...noNumbers].join('\n')))
  expect(people).toMatchObject({ rows_read: 5, inserted: 2, rejected: 3 })
  expect(people.report).toMatchObject({
    repaired: { din_lost_zeros: 1, din_spaces: 1 },
    rejects: { din_malformed: 3 },
  })

  const companies = [
    'cin,company_name,status,authorized_capital,paidup_capital,class',
    'u85100ga2022ptc015001,SMALL LETTERS,Active,1,1,Private',
    'U85100 GA2022 PTC 015002,SPACES,Active,1,1,Private',
    'AAC3965,NO HYPHEN,Active,1,1,',
    'U63040GA2006PTCOO4531,LETTERS O THAT NO CHECK DIGIT PROVES,Active,1,1,Private',
    '',
  ]
  const run = await ingest('mca-companies', file('cin.csv', companies.join('\n')))
  expect(run).toMatchObject({ rows_read: 4, inserted: 3, rejected: 1 })
  expect(run.report).toMatchObject({
    repaired: { company_id_case: 1, company_id_spaces: 1, company_id_hyphen: 1 },
    rejects: { cin_malformed: 1 },
  })
})

test('what cannot be seen in an identifier, and what keeps a spreadsheet from its digits, is no part of it', async () => {
  const hidden = ['\u00a0', '\u200b', '\ufeff', '\u200c', '\u202c', '\u2060', '\u00ad', '\u3000']
  const cin = (at: number) => `U72900GA2020PTC0150${String(at).padStart(2, '0')}`
  const cells = [
    ...hidden.map((sign, at) => `${cin(at).slice(0, 6)}${sign}${cin(at).slice(6)}${sign}`),
    `"=""${cin(8)}"""`,
    `'${cin(9)}`,
  ]
  const lines = cells.map((cell) => `${cell},A FIRM,Active,1,1,Private`)
  const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
  const run = await ingest('mca-companies', file('hidden.csv', [header, ...lines, ''].join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ rows_read: 10, inserted: 10, rejected: 0 })
  expect(run.report).toMatchObject({ repaired: { company_id_spaces: 8, company_id_quotes: 1, formula_quotes: 1 } })

  const people = ['DIN,FullName,DINStatus', '"=""00098761""",A FORMULA,Approved', "'98762,AN APOSTROPHE,Approved"]
  const dins = file('quoted.csv', [...people, '0009\u200b8763,UNSEEN,Approved', ''].join('\n'))
  const directors = await ingest('mca-directors', dins, { mode: 'delta' })
  expect(directors).toMatchObject({ rows_read: 3, inserted: 3, rejected: 0 })
  expect(directors.report).toMatchObject({
    repaired: { din_quotes: 1, din_spaces: 1, din_lost_zeros: 1, formula_quotes: 1 },
  })

  expect(await fixed(['27AAACR\u200b5055K1Z7\u202c', '="27AAACR5055K1Z7"'])).toEqual([
    '27AAACR5055K1Z7',
    '27AAACR5055K1Z7',
  ])
})
