/** Every kind of dirt that snapshots come with, one small file each: what is read of it, and what the report says. */
import { expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
const line = (n: number, name: string, capital = '100000') =>
  `U85100GA2022PTC01500${n},${name},Active,${capital},1,Private`
const utf8 = (...lines: readonly string[]) => Buffer.from([header, ...lines, ''].join('\n'))
const latin1 = (...lines: readonly string[]) => Buffer.from([header, ...lines, ''].join('\n'), 'latin1')

let sequence = 0
async function read(content: Buffer) {
  await database.db.execute('TRUNCATE registry.company, ingest.scope')
  const run = await ingest('mca-companies', file(`dirt-${++sequence}.csv`, content), { mode: 'delta', force: true })
  const rows = await database.db.query<{ name: string; capital: number | null }>(
    'SELECT name, authorised_capital AS capital FROM registry.company ORDER BY cin',
  )
  expect(run.rows_read).toBe(run.inserted + run.updated + run.unchanged + run.skipped + run.rejected)
  return { run, names: rows.map(({ name }) => name), capitals: rows.map(({ capital }) => capital) }
}

test.each<[string, Buffer, readonly string[], Readonly<Record<string, number>>]>([
  ['a byte order mark', Buffer.from(`\uFEFF${header}\n${line(1, 'A')}\n`), ['A'], {}],
  [
    'Latin-1',
    latin1(line(1, 'CAF\xc9 S\xc3O PEDRO'), line(2, 'PLAIN')),
    ['CAFÉ SÃO PEDRO', 'PLAIN'],
    { windows_1252: 1 },
  ],
  ['Windows-1252', latin1(line(1, 'SONS\x92 \x93TEA\x94 \x96 \x80 5')), ['SONS’ “TEA” – € 5'], { windows_1252: 1 }],
  [
    'UTF-8 and Latin-1 in one file',
    Buffer.concat([utf8(line(1, 'CAFÉ')), Buffer.from(`${line(2, 'CAF\xc9')}\n`, 'latin1')]),
    ['CAFÉ', 'CAFÉ'],
    { windows_1252: 1 },
  ],
  ['line ends of Windows', Buffer.from([header, line(1, 'A'), line(2, 'B'), ''].join('\r\n')), ['A', 'B'], {}],
  [
    'lone carriage returns as line ends',
    Buffer.from([header, line(1, 'A'), line(2, 'B'), ''].join('\r')),
    ['A', 'B'],
    {},
  ],
  [
    'a lone carriage return between two lines',
    Buffer.from(`${header}\n${line(1, 'A')}\r${line(2, 'B')}\n${line(3, 'C')}\n`),
    ['A', 'B', 'C'],
    {},
  ],
  ['no line end at the end', Buffer.from(`${header}\n${line(1, 'A')}`), ['A'], {}],
  [
    'a line break and quotes inside quotes',
    utf8(line(1, '"TWO\nLINES, ""A WING"""'), line(2, 'B')),
    ['TWO LINES, "A WING"', 'B'],
    { cell_line_break: 1 },
  ],
  ['a carriage return inside quotes', utf8(line(1, '"TWO\rLINES"')), ['TWO LINES'], { cell_line_break: 1 }],
  [
    'entities of HTML, of which one that was written as text is read once',
    utf8(
      line(1, '"TEA &amp; COFFEE, &#8377; &#x41; &quot;B&quot; &amp;amp; A&B; AT&T"'),
      line(2, 'C&D LIMITED'),
      line(3, 'E &AMP; F&NBSP;&#146;S &#x96;'),
    ),
    ['TEA & COFFEE, ₹ A "B" &amp; A&B; AT&T', 'C&D LIMITED', 'E & F ’S –'],
    { html_entities: 2 },
  ],
  [
    'quotes outside quotes',
    utf8(line(1, 'SEA "BREEZE" LIMITED'), line(2, 'B "')),
    ['SEA "BREEZE" LIMITED', 'B "'],
    { stray_quotes: 2 },
  ],
  [
    'blanks around the quotes of cells',
    Buffer.from(
      `"cin", "company_name" ,"status", "authorized_capital", "paidup_capital", "class"\n` +
        `"U85100GA2022PTC015001", "TEA, COFFEE ""A"" LIMITED" ,"Active", "1,00,000", "1", "Private"\n` +
        `"U85100GA2022PTC015002", "B LIMITED", "Active", "1", "1", "Private"\n`,
    ),
    ['TEA, COFFEE "A" LIMITED', 'B LIMITED'],
    { stray_quotes: 2 },
  ],
  [
    'blanks around the quotes of cells that semicolons separate',
    Buffer.from(
      `${header.replaceAll(',', ';')}\n"U85100GA2022PTC015001"; "TEA; COFFEE, A LIMITED"; "Active"; 1; "1"; "Private"\n`,
    ),
    ['TEA; COFFEE, A LIMITED'],
    { stray_quotes: 1 },
  ],
  [
    'cells written as formulas, in quotes of their own or not',
    utf8(
      `="U85100GA2022PTC015001",="TEA, ""A"" LIMITED",="Active",="1,00,000",="1",="Private"`,
      `"=""U85100GA2022PTC015002""","=""B LIMITED""",Active,1,"=""1""",Private`,
    ),
    ['TEA, "A" LIMITED', 'B LIMITED'],
    { formula_quotes: 2 },
  ],
  ['NUL bytes', utf8(line(1, 'A\0B\0C')), ['ABC'], { nul_bytes: 1 }],
  [
    'characters that move a cursor or ring a bell',
    utf8(line(1, 'A\x01B\x08\x1b\x1f\x7f C'), line(2, '\x07B'), line(3, 'TAB\tSTAYS')),
    ['AB C', 'B', 'TAB\tSTAYS'],
    { control_characters: 2 },
  ],
  [
    'quotes and dashes of Windows-1252 that were taken for ISO-8859-1',
    utf8(line(1, 'SONS\x92 \x93TEA\x94 \x96'), line(2, 'A\x85B'), line(3, 'A\x81B')),
    ['SONS’ “TEA” –', 'A B', 'AB'],
    { control_characters: 2, cell_line_break: 1 },
  ],
  [
    'escapes of a curly quote and a dash',
    utf8(line(1, 'SONS\uFFFDx80x99 \uFFFDx80x93 TEA')),
    ["SONS' - TEA"],
    { mojibake: 1 },
  ],
  ['UTF-8 that was encoded twice', utf8(line(1, 'CAFÃ‰ SONSâ€™')), ['CAFÉ SONS’'], { double_encoding: 1 }],
  [
    'UTF-8 that was encoded twice, by way of ISO-8859-1',
    utf8(line(1, 'CAFÃ\x89'), line(2, 'SONSâ\x80\x99')),
    ['CAFÉ', 'SONS’'],
    { double_encoding: 2 },
  ],
  [
    'no-break spaces, signs and scripts of India that were encoded twice',
    utf8(line(1, 'TEAÂ\xa0HOUSE'), line(2, 'â‚¹ SHOP'), line(3, 'à¤°à¤¾à¤®')),
    ['TEA HOUSE', '₹ SHOP', 'राम'],
    { double_encoding: 3 },
  ],
  [
    'letters with accents before quotes and dashes, in UTF-8',
    utf8(line(1, 'CAFÉ’S'), line(2, 'BAÚ–BAR Ã‰')),
    ['CAFÉ’S', 'BAÚ–BAR É'],
    { double_encoding: 1 },
  ],
  [
    'letters with accents before quotes and dashes, in Windows-1252',
    latin1(line(1, 'CAF\xc9\x92S \x96 BAR'), line(2, 'THE \x93BA\xda\x94'), line(3, 'caf\xe9\xa0\x93Rio\x94')),
    ['CAFÉ’S – BAR', 'THE “BAÚ”', 'café “Rio”'],
    { windows_1252: 3 },
  ],
  ['commas after the last column', utf8(`${line(1, 'A')},,,`), ['A'], { trailing_commas: 1 }],
  ['blank lines and spaces around values', utf8('', line(1, '  A  '), '', line(2, '\tB'), ''), ['A', 'B'], {}],
])('%s does not disturb, and what was repaired is counted', async (_, content, names, repaired) => {
  const outcome = await read(content)
  expect([outcome.names, outcome.run.rejected]).toEqual([names, 0])
  expect(outcome.run.report['repaired']).toEqual(repaired)
})

test('rows with too few or too many columns are rejected with their line, and their neighbours are read', async () => {
  const content = utf8(line(1, 'A'), 'U85100GA2022PTC015002,SHORT', line(3, 'TOO,LONG'), line(4, 'D'))
  const { run, names } = await read(content)
  expect(names).toEqual(['A', 'D'])
  expect(await listRejects(database.db, run.run_id)).toMatchObject([
    { line: 3, code: 'column_count', message: '6 columns expected, 2 found', raw: 'U85100GA2022PTC015002,SHORT' },
    { line: 4, code: 'column_count', message: '6 columns expected, 7 found' },
  ])
})

test('amounts in Indian and in Western grouping, in scientific notation and bare are the same number', async () => {
  const amounts = ['"13,00,00,000.00"', '"130,000,000"', '1.3E+8', '1.3e8', '130000000.00', ' 130000000 ']
  const { capitals, run } = await read(utf8(...amounts.map((amount, index) => line(index + 1, 'A', amount))))
  expect(capitals).toEqual(amounts.map(() => 130_000_000))
  expect(run.rejected).toBe(0)
})

test('nothing written in any of its spellings is nothing, and no other word is taken for it', async () => {
  const nothing = ['', ' ', 'NA', 'N/A', '#N/A', 'n.a.', 'N.A', 'NULL', 'null', 'NIL', 'None', '-', '--', '.']
  const { capitals, run } = await read(utf8(...nothing.slice(0, 9).map((each, index) => line(index + 1, 'A', each))))
  expect(capitals).toEqual(nothing.slice(0, 9).map(() => null))
  expect(run.rejected).toBe(0)
  const errors = ['#VALUE!', '#REF!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!']
  const cleaned = await database.db.query<{ v: string; cleaned: string | null }>(
    'SELECT v, ingest.clean(v) AS cleaned FROM unnest($1::text[]) AS given(v)',
    [[...nothing, ...errors, 'NAN', 'NANDA', 'N A', 'NILGIRI', '0', '#VALUE', 'NAME?']],
  )
  expect(cleaned.filter(({ cleaned }) => cleaned !== null).map(({ v }) => v)).toEqual([
    'NAN',
    'NANDA',
    'N A',
    'NILGIRI',
    '0',
    '#VALUE',
    'NAME?',
  ])
})

test('names broken at forty characters are found under the search form of the whole name', async () => {
  const whole = 'SOUTHERN LIGHT SOFTWARE DEVELOPMENT PRIVATE LIMITED'
  const { run } = await read(
    utf8(line(1, whole), line(2, whole.replace('PRIVATE', 'PRI VATE')), line(3, whole.replace('PRIVATE', 'P RIVATE'))),
  )
  expect(run.inserted).toBe(3)
  const keys = await database.db.query('SELECT DISTINCT name_key FROM registry.company')
  expect(keys).toEqual([{ name_key: 'southern light software development' }])
})

const full =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
test('a state has one spelling whatever the source writes, and the district comes from the PIN before the text', async () => {
  await ingest('pincodes', registryFixture('pincodes.csv'))
  const places: readonly (readonly [string, string, string | null, string | null])[] = [
    ['Orissa', '1 A ROAD,CUTTACK,Orissa,753001-India', 'Odisha', null],
    ['pondicherry', '1 A ROAD,MAHE,Kerala,673310-India', 'Puducherry', null],
    ['CHATTISGARH', '1 A ROAD,RAIPUR,Chattisgarh,492001-India', 'Chhattisgarh', null],
    ['', '1 A ROAD,MARGAO,North Goa,Goa,403601-India', 'Goa', 'South Goa'],
    ['', '1 A ROAD,PANAJI,400020-India', 'Maharashtra', 'Mumbai'],
    ['goa', '1 A ROAD,PANAJI,North Goa,Goa,000000-India', 'Goa', 'North Goa'],
    ['', 'NA', 'Goa', null],
  ]
  const lines = places.map(
    ([state, address], index) =>
      `U85100GA2022PTC01500${index + 1},A,ROC Goa,Company limited by shares,2022-11-23,"${address}",Unlisted,Active,${state},85100`,
  )
  const { run } = await read(Buffer.from([full, ...lines, ''].join('\n')))
  expect(run.rejected).toBe(0)
  const found = await database.db.query('SELECT state, district FROM registry.company ORDER BY cin')
  expect(found).toEqual(places.map(([, , state, district]) => ({ state, district })))
})

test('a value that a list names twice is kept once, where it stands first', async () => {
  const text = [
    'gstin,lgnm,sts,nba,hsncd,saccd',
    '27AAACR5055K1Z7,A,Active,Export;Retail Business; Export,8471;0902; 8471 ;08471;0902,998313;998313',
    '27AAACH2702H1Z0,B,Active,,;,',
    '',
  ].join('\n')
  await ingest('gst-taxpayers', file('lists.csv', text), { mode: 'delta' })
  const found = await database.db.query(
    `SELECT business_activities AS activities, hsn_codes AS goods, sac_codes AS services
     FROM registry.gst_taxpayer WHERE gstin IN ('27AAACR5055K1Z7', '27AAACH2702H1Z0') ORDER BY gstin DESC`,
  )
  expect(found).toEqual([
    { activities: ['Export', 'Retail Business'], goods: ['8471', '0902', '08471'], services: ['998313'] },
    { activities: [], goods: [], services: [] },
  ])
  await database.db.execute('TRUNCATE registry.gst_taxpayer, ingest.scope')
})

test('codes of goods and services are kept as their lists write them, and what is no code stays as it came', async () => {
  const text = [
    'gstin,lgnm,sts,hsncd,saccd',
    '27AAACR5055K1Z7,A,Active,2307 00;90121; 401 ;3;8471.0;०९०२;998313;machines;998,9983 13',
    '27AAACH2702H1Z0,B,Active,"8471, 0902,8471","998313,consulting"',
    '27AAACT2727Q1ZW,C,Active,30559,९९८३',
    '27AAACB2894G1ZN,D,Active,8471;090121,998313',
    '',
  ].join('\n')
  const run = await ingest('gst-taxpayers', file('codes.csv', text), { mode: 'delta' })
  expect(run.rejected).toBe(0)
  expect(run.report).toMatchObject({ repaired: { lost_leading_zero: 2, space_in_code: 2 } })
  const found = await database.db.query(
    'SELECT legal_name AS name, hsn_codes AS goods, sac_codes AS services FROM registry.gst_taxpayer ORDER BY legal_name',
  )
  expect(found).toEqual([
    {
      name: 'A',
      goods: ['230700', '090121', '0401', '03', '8471', '0902', '998313', 'machines', '0998'],
      services: ['998313'],
    },
    { name: 'B', goods: ['8471', '0902'], services: ['998313', 'consulting'] },
    { name: 'C', goods: ['030559'], services: ['9983'] },
    { name: 'D', goods: ['8471', '090121'], services: ['998313'] },
  ])
  await database.db.execute('TRUNCATE registry.gst_taxpayer, ingest.scope')
})

test('a PIN that cannot be read leaves the record without one, and is counted; one that is none is not', async () => {
  const pins = ['403001', '403-001', '000000', 'NA', '', '40300', '4.03E+05']
  const inCells = [
    'DIN,FullName,DINStatus,DINApprovalDate,Pincode',
    ...pins.map((pin, index) => `0000200${index},A,Approved,2017-07-01,${pin}`),
    '',
  ]
  const cells = await ingest('mca-directors', file('pins.csv', inCells.join('\n')), { mode: 'delta' })
  expect([cells.rejected, cells.report['repaired']]).toEqual([0, { pincode_dropped: 2 }])
  expect(
    await database.db.query("SELECT pincode FROM registry.director WHERE din LIKE '0000200%' ORDER BY din"),
  ).toEqual(['403001', '403001', null, null, null, null, null].map((pincode) => ({ pincode })))
  const inAddresses = pins.map(
    (pin, index) =>
      `U85100GA2022PTC01500${index + 1},A,ROC Goa,Company limited by shares,2022-11-23,"1 A ROAD,PANAJI,Goa,${pin}-India",Unlisted,Active,goa,85100`,
  )
  const addresses = await read(Buffer.from([full, ...inAddresses, ''].join('\n')))
  expect([addresses.run.rejected, addresses.run.report['repaired']]).toEqual([0, { pincode_dropped: 2 }])
})

test.each<[string, string]>([
  [',', ''],
  [', ', '\t'],
  [';', ' '],
])('a row without a value is no record, separated by "%s"', async (separator, blank) => {
  const empty = separator.repeat(5)
  const malformed = line(3, 'A').replace('U85', 'X85')
  const text = [header, line(1, 'A'), empty, blank, line(2, 'A'), empty, empty, '', malformed, ''].join('\n')
  const { run, names } = await read(Buffer.from(separator === ';' ? text.replaceAll(',', ';') : text))
  expect([names, run.rows_read, run.rejected]).toEqual([['A', 'A'], 3, 1])
  expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 9, code: 'cin_malformed' }])
})

test('a day in zeros is none, and another that does not exist is still rejected', async () => {
  const days = [
    '0000-00-00',
    '00/00/0000',
    '0000-00-00 00:00:00',
    '00-00-0000',
    '31/02/2020',
    '0',
    '00-01-1900',
    '0-Jan-00',
    '23-Nov-22',
  ]
  const rows = days.map((day, index) => `0000100${index},A,Approved,2017-07-01,${day}`)
  const text = ['DIN,FullName,DINStatus,DINApprovalDate,DateOfBirth', ...rows, ''].join('\n')
  const run = await ingest('mca-directors', file('zeros.csv', text), { mode: 'delta' })
  expect(run).toMatchObject({ rows_read: 9, inserted: 7, rejected: 2 })
  expect(await listRejects(database.db, run.run_id)).toMatchObject([
    { line: 6, code: 'date_unreadable', message: '"31/02/2020" in born_on is no day, written YYYY-MM-DD' },
    {
      line: 10,
      code: 'date_unreadable',
      message: expect.stringContaining('"23-Nov-22" in born_on has a year of two digits'),
    },
  ])
  const kept = await database.db.query('SELECT DISTINCT approved_on::text, born_on FROM registry.director')
  expect(kept).toEqual([{ approved_on: '2017-07-01', born_on: null }])
})

test('an empty line is no record, in a file of one column either', async () => {
  const run = await ingest('preferences', file('numbers.csv', 'number\n9812345678\n\n9812345679\n'), { mode: 'delta' })
  expect(run).toMatchObject({ rows_read: 2, inserted: 2, rejected: 0 })
})

test('town, district and state without the parts of an address are no address', async () => {
  const text = `gstin,Legal Name,Status,Door No,City,District,State\n30AAACK0001A1Z0,A,Active,,Panaji,North Goa,Goa\n`
  await ingest('gst-taxpayers', file('gst.csv', text), { asOf: '2025-01-01' })
  const rows = await database.db.query('SELECT address, city, state FROM registry.gst_taxpayer')
  expect(rows).toEqual([{ address: null, city: 'Panaji', state: 'Goa' }])
})

test('a cell of separators alone holds no value', async () => {
  const text = `DIN,FullName,DINStatus,Nationality,Gender,Address\n12345,A,Approved,--.,-,", , ,"\n12346,B,Approved,,,"- 1,"\n`
  await ingest('mca-directors', file('separators.csv', text), { mode: 'delta' })
  const rows = await database.db.query(
    "SELECT nationality, gender, address FROM registry.director WHERE din IN ('00012345', '00012346') ORDER BY din",
  )
  expect(rows).toEqual([
    { nationality: null, gender: null, address: null },
    { nationality: null, gender: null, address: '- 1,' },
  ])
})

test('the register has one word for a gender, however its file writes it', async () => {
  const lines = ['M', 'FEMALE', 't', 'X'].map((gender, index) => `1235${index},A,Approved,${gender}`)
  const text = ['DIN,FullName,DINStatus,Gender', ...lines, ''].join('\n')
  const run = await ingest('mca-directors', file('genders.csv', text), { mode: 'delta' })
  expect(run.report).toMatchObject({ unknown_words: { gender: { X: 1 } } })
  const rows = await database.db.query<{ gender: string }>(
    "SELECT gender FROM registry.director WHERE din BETWEEN '00012350' AND '00012353' ORDER BY din",
  )
  expect(rows.map(({ gender }) => gender)).toEqual(['Male', 'Female', 'Transgender', 'X'])
})

test('a rejected amount or day says how to write it', async () => {
  const cells = ['1 Lakh,2022-11-23', '(100000),2022-11-23', '100000,45000', '100000,45000.75', '100000,04500']
  const rows = cells.map((pair, index) => {
    const [amount, day] = pair.split(',')
    return `U85100GA2022PTC01600${index},A,ROC Goa,Company limited by shares,Private,${amount},${day},X,Unlisted,Active,85100`
  })
  const columns =
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code'
  const { run } = await read(Buffer.from([columns, ...rows, ''].join('\n')))
  const inRupees = 'in authorised_capital is no amount in rupees; write it in digits, such as 100000 or 1,00,000.00'
  const aCount =
    "in incorporated_on is a spreadsheet's count of days; format the column as a date there, or write it as YYYY-MM-DD"
  expect((await listRejects(database.db, run.run_id)).map(({ message }) => message)).toEqual([
    `"1 Lakh" ${inRupees}`,
    `"(100000)" ${inRupees}`,
    `"45000" ${aCount}`,
    `"45000.75" ${aCount}`,
    '"04500" in incorporated_on is no day, written YYYY-MM-DD',
  ])
})
