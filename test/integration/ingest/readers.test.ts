import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCompanyId } from '../../../src/domain/company-id.ts'
import { parseDin } from '../../../src/domain/din.ts'
import { gstinCheckDigit, parseGstin } from '../../../src/domain/gstin.ts'
import { isIsoDate } from '../../../src/domain/iso-date.ts'
import { wordKey } from '../../../src/domain/word-key.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'

const database = useTestDatabase()
const letters = (count: number) => fc.stringMatching(new RegExp(`^[A-Z]{${count}}$`))
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((each) => each.join(''))
/** Mostly right, sometimes off by one character, a space, a sign of no width or its case, and kept as text for a spreadsheet. */
const smudged = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: text },
    fc
      .tuple(text, fc.nat(20), fc.constantFrom('', ' ', 'O', '0', '-', 'x', '#', '\u200b', '\u00ad', '\ufeff', '"'))
      .map(([whole, at, put]) => {
        return whole.slice(0, at) + put + whole.slice(at + 1)
      }),
    text.map((whole) => whole.toLowerCase()),
    fc.tuple(fc.constantFrom('="', '"', "'"), text, fc.constantFrom('"', '')).map((parts) => parts.join('')),
  )

/** Asks PostgreSQL about many values in one statement. */
async function inSql(expression: string, values: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.db.query<{ answer: string | null }>(
    `SELECT (${expression})::text AS answer FROM unnest($1::text[]) WITH ORDINALITY AS given(v, n) ORDER BY n`,
    [values],
  )
  return rows.map(({ answer }) => answer)
}

async function agree(
  values: fc.Arbitrary<string>,
  expression: string,
  twin: (value: string) => string | null | undefined,
): Promise<void> {
  const some = fc.array(values, { minLength: 50, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(some, async (list) => {
      expect(await inSql(expression, list)).toEqual(list.map((value) => twin(value) ?? null))
    }),
    { numRuns: draws(20) },
  )
}

test('company identifiers are read alike in SQL and in TypeScript', async () => {
  const cin = joined(fc.constantFrom('L', 'U'), digits(5), letters(2), digits(4), letters(3), digits(6))
  const llpin = joined(fc.constantFrom('', 'F'), letters(3), fc.constantFrom('-', ''), digits(4))
  const fcrn = joined(fc.constant('F'), fc.stringMatching(/^\d{3,9}$/))
  await agree(smudged(fc.oneof(cin, llpin, fcrn)), 'ingest.company_id(v)', (value) => parseCompanyId(value)?.value)
})

test('the type of a company follows from the kind of its identifier alike', async () => {
  const types = { cin: 'Company', llpin: 'LLP', fllpin: 'Foreign LLP', fcrn: 'Foreign Company' }
  const ids = ['U85100GA2022PTC015629', 'AAC-3965', 'FAAC-3965', 'F12345']
  expect(await inSql('ingest.company_type(v)', ids)).toEqual(ids.map((id) => types[parseCompanyId(id)?.kind ?? 'cin']))
})

test('DINs are read alike', async () => {
  await agree(
    smudged(fc.stringMatching(/^[0-9]{0,9}(\.0{1,2})?$|^0{1,8}(\.0)?$|^\d{3}[a-z]$|^\d{3}\.\d$/)),
    'ingest.din(v)',
    parseDin,
  )
})

test('GSTINs of every kind, their check digits and their PANs are read alike', async () => {
  const first14 = fc.oneof(
    joined(
      digits(2),
      letters(3),
      fc.constantFrom(...'ABCFGHJLPT'),
      letters(1),
      digits(4),
      letters(1),
      fc.stringMatching(/^[0-9A-Z][A-Z1-9]$/),
    ),
    joined(digits(2), letters(4), digits(5), letters(1), digits(1), fc.constant('Z')),
    joined(digits(4), letters(3), digits(5), fc.constantFrom('NR', 'UN', 'ON')),
    joined(fc.constant('99'), digits(2), letters(3), digits(5), fc.constant('OS')),
    joined(digits(12), fc.constant('TM')),
  )
  const valid = first14.map((start) => start + (start.endsWith('TM') ? 'P' : gstinCheckDigit(start)))
  await agree(smudged(valid), 'ingest.gstin(v)', (value) => {
    const reading = parseGstin(value)
    return reading.ok ? reading.value : null
  })
  await agree(valid, 'ingest.gstin_kind(v)', (value) => {
    const reading = parseGstin(value)
    return reading.ok ? reading.kind : undefined
  })
  await agree(valid, 'ingest.gstin_pan(v)', (value) => {
    const reading = parseGstin(value)
    return reading.ok ? reading.pan : undefined
  })
})

test('only days that exist are read, in the declared order', async () => {
  const parts = fc.tuple(
    fc.integer({ min: 1590, max: 2100 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  )
  const two = (n: number) => String(n).padStart(2, '0')
  const iso = parts.map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`)
  await agree(iso, `ingest.read_date(v, 'ymd')`, (value) => (isIsoDate(value) ? value : null))
  const dmy = parts.map(([y, m, d]) => `${d}/${m}/${y}`)
  const registrars = parts.map(([y, m, d]) => `${two(d)}-${two(m)}-${y}`)
  for (const spelling of [dmy, registrars]) {
    await agree(spelling, `ingest.read_date(v, 'dmy')`, (value) => {
      const [d = '', m = '', y = ''] = value.split(/[-/]/)
      const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
      return isIsoDate(day) ? day : null
    })
  }
  expect(await inSql(`ingest.read_date(v, 'dmy')`, ['01/07/2017', '07-01-2017'])).toEqual(['2017-07-01', '2017-01-07'])
  expect(await inSql(`ingest.read_date(v, 'undecided')`, ['01/07/2017', '13-07-2017'])).toEqual([null, '2017-07-13'])
  expect(await inSql(`ingest.read_date(v, 'mdy')`, ['2/28/2020', '28/2/2020'])).toEqual(['2020-02-28', null])
})

test.each([
  '02-Jan-2020',
  '2-JAN-2020',
  '2 January 2020',
  '02Jan2020',
  '2nd Jan, 2020',
  'Jan 2, 2020',
  'January 2nd 2020',
  '20200102',
  '2-Jan-2020 12:00:00 AM',
  '2020-01-02T23:59:59+05:30',
  '2020-01-02T18:29:59Z',
  '2020-01-01T18:30:00.000Z',
  '2020-01-01 23:30:00-0500',
  '2020-Jan-02',
  '2020–01–02',
  "'2020-01-02",
  '2020/1/2',
])('%s is one day in whatever order the file has, and asks no other date', async (spelling) => {
  for (const order of ['undecided', 'dmy', 'mdy']) {
    expect(await inSql(`ingest.read_date(v, '${order}')`, [spelling])).toEqual(['2020-01-02'])
  }
  expect(await inSql('ingest.date_order(v)', [spelling])).toEqual([null])
})

test.each([
  '30-Feb-2020',
  '2-Janu ary-2020',
  '2-Ja-2020',
  '2-Janvier-2020',
  '2-Jan-20',
  'Jan-2020',
  '20201302',
  '0-Jan-2020',
])('%s is no day', async (spelling) => {
  expect(await inSql(`ingest.read_date(v, 'dmy')`, [spelling])).toEqual([null])
})

test('a time with half of the day, or an offset, does not hide the order of day and month', async () => {
  const times = ['25/03/2020 12:00:00 AM', '03/25/2020 1:30 pm', '03/04/2020T00:00:00+0530']
  expect(await inSql('ingest.date_order(v)', times)).toEqual(['dmy', 'mdy', 'either'])
  expect(await inSql(`ingest.read_date(v, 'dmy')`, times)).toEqual(['2020-03-25', null, '2020-04-03'])
})

test('days are told apart by dashes of any length, with blanks around them, and behind an apostrophe', async () => {
  const spellings = ['25–03–2020', '25 - 03 - 2020', '25- 3-2020', "'25/03/2020"]
  expect(await inSql(`ingest.read_date(v, 'undecided')`, spellings)).toEqual(spellings.map(() => '2020-03-25'))
  expect(await inSql('ingest.date_order(v)', spellings)).toEqual(spellings.map(() => 'dmy'))
})

test('a moment with its offset is the day that it is in India', async () => {
  const moments = [
    '31/12/2019T18:30:00Z',
    '28-02-2020T20:00Z',
    '2020-03-01T03:00:00+09:00',
    '2020-03-01T04:00:00+09:00',
  ]
  const days = ['2020-01-01', '2020-02-29', '2020-02-29', '2020-03-01']
  expect(await inSql(`ingest.read_date(v, 'dmy')`, moments)).toEqual(days)
})

test.each([
  ['100000', '100000'],
  ['1,00,000.00', '100000.00'],
  ['30,000,000,000.00', '30000000000.00'],
  ['9E+9', '9000000000'],
  ['1.5e3', '1500'],
  ['12,34', null],
  ['-5', null],
  ['ten', null],
  ['1E+400', null],
])('the amount %s is read as %s', async (text, expected) => {
  expect(await inSql('ingest.read_amount(v)', [text])).toEqual([expected])
})

test.each([
  ['ingest.din(v)', '8100027.0', '08100027'],
  ['ingest.din(v)', '8100027.5', null],
  ['ingest.read_pincode(v)', '403507.0', '403507'],
  ['ingest.read_pincode(v)', '403-001', '403001'],
  ['ingest.read_pincode(v)', '403-001-India', '403001'],
  ['ingest.read_pincode(v)', '403,001', '403001'],
  ['ingest.read_pincode(v)', '4,03,001', '403001'],
  ['ingest.read_pincode(v)', '4.03001E5', '403001'],
  ['ingest.read_pincode(v)', '4.03001e+05', '403001'],
  // 4.03E+05 is how a spreadsheet shows any PIN from 402500 to 403499.
  ['ingest.read_pincode(v)', '4.03E+05', null],
  ['ingest.read_pincode(v)', '4.030015E5', null],
  ['ingest.read_pincode(v)', 'Plots 101-105', null],
  ['ingest.read_pincode(v)', 'MUMBAI 20 400020', '400020'],
  ['ingest.read_pincode(v)', 'SECTOR 12 400 020', '400020'],
  ['ingest.read_pincode(v)', 'SECTOR 12 3456', null],
  ['ingest.read_pincode(v)', '40 30 01', '403001'],
  ['ingest.read_pincode(v)', '403–001', '403001'],
  ['ingest.read_pincode(v)', '000-000', null],
  ['ingest.hsn_code(v)', '30559.0', '030559'],
  ['ingest.sac_code(v)', '998599.00', '998599'],
  ['ingest.contact_value(v)', '9812345678.0', '+919812345678'],
  ['ingest.read_amount(v)', 'Rs. 10,00,000/-', '1000000'],
  ['ingest.read_amount(v)', 'Rs.1,000.50', '1000.50'],
  ['ingest.read_amount(v)', 'INR 100000', '100000'],
  ['ingest.read_amount(v)', '₹ 13,00,00,000.00', '130000000.00'],
  ['ingest.read_amount(v)', '5000/=', '5000'],
  ['ingest.read_amount(v)', 'Rs. 1E+5', '100000'],
  ['ingest.read_amount(v)', '1,00,000 INR', '100000'],
  ['ingest.read_amount(v)', '100000 Rs.', '100000'],
  ['ingest.read_amount(v)', 'Rupees 100000', '100000'],
  ['ingest.read_amount(v)', "'100000", '100000'],
  ['ingest.read_amount(v)', '+100000', '100000'],
  ['ingest.read_amount(v)', '100000.', '100000'],
  ['ingest.read_amount(v)', '1 00 000.50', '100000.50'],
  ['ingest.read_amount(v)', '100\u00a0000', '100000'],
  ['ingest.read_amount(v)', '10 000 0', null],
  ['ingest.read_amount(v)', '1 000,00', null],
  ['ingest.read_amount(v)', '−100000', null],
  ['ingest.read_amount(v)', 'INR 100000 Rs 5', null],
  ['ingest.read_amount(v)', 'Rs. 5 lakh', null],
  ['ingest.read_amount(v)', 'Rs.', null],
])('%s reads %s, as spreadsheets and letters write numbers, as %s', async (reader, text, expected) => {
  expect(await inSql(reader, [text])).toEqual([expected])
})

test('a web address keeps the case of its path, and of several the first is taken', async () => {
  const cells = {
    'HTTP://www.Abc.in/Path/X?Q=A': 'http://www.abc.in/Path/X?Q=A',
    'http:/abc.in': 'http://abc.in',
    'http//abc.in/A': 'http://abc.in/A',
    'http://https://abc.in': 'https://abc.in',
    'www.abc.in, www.def.in': 'www.abc.in',
    'www.abc.in http://def.in': 'www.abc.in',
    'https://abc.in\u200b': 'https://abc.in',
    'https://abc.in/?a=http://b.in': 'https://abc.in/?a=http://b.in',
    'abc.in/a,b': 'abc.in/a,b',
    'not available': null,
    'javascript:alert(1)': null,
    'https://user:pw@abc.in/': null,
  }
  expect(await inSql('ingest.website(v)', Object.keys(cells))).toEqual(Object.values(cells))
})

test('no reader throws on any text', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.replaceAll('\0', ''))
  const readers = `concat(ingest.clean(v), ingest.company_id(v), ingest.din(v), ingest.gstin(v), ingest.read_date(v, 'dmy'),
    ingest.read_amount(v), ingest.plain_email(v), ingest.plain_mobile(v), ingest.plain_landline(v), ingest.website(v), ingest.read_pincode(v), ingest.place_name(v, v), registry.name_key(v))`
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 100, maxLength: 100 }), async (list) => {
      expect(
        await inSql(
          readers,
          list.map((value) => value.toWellFormed()),
        ),
      ).toHaveLength(100)
    }),
    { numRuns: 10 },
  )
})

test('words are compared alike', async () => {
  await agree(fc.stringMatching(/^[A-Za-z .,\-_()'/&]{0,30}$/), 'ingest.word_key(v)', wordKey)
})

/** Names of letters and signs, and of the words of legal forms. */
const nameText = fc.oneof(
  fc.stringMatching(/^[A-Za-zé&.,' ]{0,40}$/),
  fc
    .array(
      fc.constantFrom(
        'smith',
        'p',
        '(p)',
        '( P. )',
        'Ltd.',
        'LIMITED',
        'Liability',
        'Partnership',
        'LLP',
        'pri vate',
        '.',
        ' ',
      ),
    )
    .map((words) => words.join(' ')),
)

test('the search form is one for the spellings of a name, and stays itself when taken again', async () => {
  const spellings = [
    'Smith & Sons (India) Pvt. Ltd.',
    'SMITH AND SONS INDIA PRIVATE LIMITED',
    'SMITH & SONS INDIA PRI VATE LIMITED',
    'The Smith and Sons [India] Private Limite d',
    'Smith & Sons India (P) Ltd.',
    'SMITH AND SONS INDIA ( P. ) LIMITED',
    'Smith & Sons India Limited Liability Partnership',
    '\ufeffSmith & So\u200bns\u200e India\u3000Ltd\u2060',
    '\u202aＳＭＩＴＨ ＆ ＳＯＮＳ\u3000ＩＮＤＩＡ\u202c',
  ]
  expect(new Set(await inSql('registry.name_key(v)', spellings))).toEqual(new Set(['smith sons india']))
  // Letters that are no legal form stay.
  const others = {
    'V I P LIMITED': 'v i p',
    'Section (P) Foods Limited': 'section p foods',
    'Liability Partnership Limited': 'liability partnership',
  }
  expect(await inSql('registry.name_key(v)', Object.keys(others))).toEqual(Object.values(others))
  await fc.assert(
    fc.asyncProperty(fc.array(nameText, { minLength: 100 }), async (list) => {
      const once = await inSql('registry.name_key(v)', list)
      expect(await inSql('registry.name_key(registry.name_key(v))', list)).toEqual(once)
    }),
    { numRuns: 10 },
  )
})
