/** Digits of any script are read wherever digits are. */
import { expect, test } from 'vitest'
import { asciiForm } from '../../../src/domain/ascii-form.ts'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

/** The first digit of each script whose digits are read. */
const zeros = {
  Devanagari: '०',
  Bengali: '০',
  Gurmukhi: '੦',
  Gujarati: '૦',
  Odia: '୦',
  Tamil: '௦',
  Telugu: '౦',
  Kannada: '೦',
  Malayalam: '൦',
  'Ol Chiki': '᱐',
  Meitei: '꯰',
  Arabic: '٠',
  Urdu: '۰',
  'full-width': '０',
}
const inScript = (text: string, zero: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)))
const scripts = Object.entries(zeros)

async function answers(expression: string, values: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.db.query<{ answer: string | null }>(
    `SELECT (${expression})::text AS answer FROM unnest($1::text[]) WITH ORDINALITY AS given(v, n) ORDER BY n`,
    [values],
  )
  return rows.map(({ answer }) => answer)
}

test.each([
  ['ingest.read_pincode(v)', '403507', '403507'],
  ['ingest.read_pincode(v)', '403-001-India', '403001'],
  ['ingest.read_pincode(v)', '403 001', '403001'],
  ['ingest.read_pincode(v)', '000000', null],
  ['ingest.read_amount(v)', '1,00,000.00', '100000.00'],
  ['ingest.read_amount(v)', '₹ 5000', '5000'],
  [`ingest.read_date(v, 'dmy')`, '05-03-2020', '2020-03-05'],
  [`ingest.read_date(v, 'undecided')`, '2020-03-05', '2020-03-05'],
  ['ingest.date_order(v)', '25/03/2020', 'dmy'],
  ['ingest.year_end(v)', '2018-19', '2019-03-31'],
  ['ingest.read_number(v)', '12.0', '12'],
  ['ingest.din(v)', '12345', '00012345'],
  ['ingest.company_id(v)', 'U85100GA2022PTC015629', 'U85100GA2022PTC015629'],
  ['ingest.gstin(v)', '27AAACR5055K1Z7', '27AAACR5055K1Z7'],
  ['ingest.hsn_code(v)', '30559', '030559'],
  ['ingest.sac_code(v)', '998599', '998599'],
  ['ingest.contact_value(v)', '98123 45678', '+919812345678'],
])('%s reads %s in the digits of any script as %s', async (reader, text, expected) => {
  const spellings = [text, ...scripts.map(([, zero]) => inScript(text, zero))]
  expect(await answers(reader, spellings)).toEqual(spellings.map(() => expected))
})

test('digits, dashes and full-width characters have one ASCII form in SQL and in TypeScript, and nothing else changes', async () => {
  const whole = Array.from({ length: 0xfffd - 0xa0 }, (_, n) => String.fromCharCode(0xa0 + n)).filter((sign) =>
    sign.isWellFormed(),
  )
  expect(await answers('ingest.ascii_form(v)', whole)).toEqual(whole.map(asciiForm))
  expect(whole.filter((sign) => asciiForm(sign) !== sign)).toHaveLength(13 * 10 + 94 + 7)
  expect(asciiForm('ＡＡＣ－３９６５ é नगर ५ – −')).toBe('AAC-3965 é नगर 5 - -')
})

test('a row in the digits of another script is the row in ASCII digits, and its names and address keep theirs', async () => {
  const header = 'DIN,FullName,DINStatus,DINApprovalDate,DateOfBirth,Address,Pincode'
  const lines = scripts.map(
    ([name, zero], index) =>
      `${inScript(String(70_001 + index), zero)},${name} ${zero},Approved,${inScript('2017-07-01', zero)},${inScript('25/03/1980', zero)},${zero} A ROAD,${inScript('403001', zero)}`,
  )
  const run = await ingest('mca-directors', file('scripts.csv', [header, ...lines, ''].join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ rows_read: scripts.length, inserted: scripts.length, rejected: 0 })
  expect(run.report['repaired']).toEqual({ din_lost_zeros: scripts.length, din_script: scripts.length })
  const rows = await database.db.query(
    `SELECT din, full_name AS name, approved_on::text AS approved, born_on::text AS born, address, pincode
     FROM registry.director WHERE din LIKE '0007%' ORDER BY din`,
  )
  expect(rows).toEqual(
    scripts.map(([name, zero], index) => ({
      ...{ din: `000${70_001 + index}`, name: `${name} ${zero}`, approved: '2017-07-01', born: '1980-03-25' },
      ...{ address: `${zero} A ROAD`, pincode: '403001' },
    })),
  )
})

test('capital, days, activity and PIN of a company are read in any digits', async () => {
  const header =
    'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,AuthorizedCapital,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
  const line = (n: number, zero: string) =>
    [
      `U85100GA2022PTC01570${n},A,ROC Goa,Company limited by shares,${inScript('2022-11-23', zero)}`,
      `"${inScript('1,00,000.50', zero)}","${zero} A ROAD,PANAJI,Goa,${inScript('403001', zero)}-India",Unlisted,Active,goa,${inScript('01110', zero)}`,
    ].join(',')
  const lines = ['0', '०', '০', '０'].map((zero, index) => line(index, zero))
  const run = await ingest('mca-companies', file('amounts.csv', [header, ...lines, ''].join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ inserted: 4, rejected: 0 })
  const rows = await database.db.query(
    `SELECT DISTINCT authorised_capital::text AS capital, incorporated_on::text AS day, nic_code, pincode
     FROM registry.company WHERE cin LIKE '%01570_'`,
  )
  expect(rows).toEqual([{ capital: '100000.50', day: '2022-11-23', nic_code: 1110, pincode: '403001' }])
})

test('a PIN that cannot be read is counted, in whatever digits or words it is written', async () => {
  const pins = ['४०३००', '٤٠٣', 'PANAJI', '４０３．５', '०००००0', '0', '000-000', '', 'NA']
  const lines = pins.map((pin, index) => `0008000${index},A,Approved,2017-07-01,${pin}`)
  const text = ['DIN,FullName,DINStatus,DINApprovalDate,Pincode', ...lines, ''].join('\n')
  const run = await ingest('mca-directors', file('unread.csv', text), { mode: 'delta' })
  expect([run.rejected, run.report['repaired']]).toEqual([0, { pincode_dropped: 4 }])
  const kept = await database.db.query(`SELECT DISTINCT pincode FROM registry.director WHERE din LIKE '0008000%'`)
  expect(kept).toEqual([{ pincode: null }])
})

test('what stands in digits of another script and cannot be read rejects its row as the same in ASCII digits does', async () => {
  const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
  const lines = ['५ लाख', '१२,३४'].map((amount, n) => `U85100GA2022PTC01580${n},A,Active,"${amount}",1,Private`)
  const run = await ingest('mca-companies', file('unread-amounts.csv', [header, ...lines, ''].join('\n')), {
    mode: 'delta',
  })
  expect(run).toMatchObject({ inserted: 0, rejected: 2 })
  expect(await listRejects(database.db, run.run_id)).toMatchObject([
    { line: 2, code: 'amount_unreadable', message: expect.stringContaining('५ लाख') },
    { line: 3, code: 'amount_unreadable' },
  ])
})
