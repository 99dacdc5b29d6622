/** A row that is torn cannot be read, and yet it stands in the file: its record is not absent, and a snapshot does not close it. */
import { expect, test } from 'vitest'
import { gstinCheckDigit } from '../../../src/domain/gstin.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)
const cin = (n: number) => `U74999GA2019PTC00000${n}`
const gstin = [1, 2, 3].map((n) => `30AAACT100${n}A1Z${gstinCheckDigit(`30AAACT100${n}A1Z`)}`)

interface Register {
  readonly source: string
  readonly table: string
  readonly header: string
  readonly kept: string
  /** Whole, and as the second file has it. */
  readonly torn: readonly [string, string]
  readonly absent: string
  /** SQL of what tells the three apart. */
  readonly told: string
}

const registers: readonly Register[] = [
  {
    ...{ source: 'mca-companies', table: 'registry.company', told: 'right(cin, 1)' },
    header: 'CIN,CompanyName,CompanyROCcode,CompanyRegistrationdate_date',
    kept: `${cin(1)},ONE LIMITED,ROC Goa,2019-05-25`,
    torn: [`${cin(2)},TWO LIMITED,ROC Goa,2019-05-25`, `${cin(2).toLowerCase()},TWO LIM`],
    absent: `${cin(3)},THREE LIMITED,ROC Goa,2019-05-25`,
  },
  {
    ...{ source: 'mca-directors', table: 'registry.director', told: 'right(din, 1)' },
    header: 'DIN,Status,Name',
    kept: '10000011,Approved,Asha Kamat',
    torn: ['00200022,Approved,Ravi Naik', '200022,Appro'],
    absent: '10000033,Approved,Meera Pai',
  },
  {
    ...{ source: 'gst-taxpayers', table: 'registry.gst_taxpayer', told: 'array_position($1, gstin::text)::text' },
    header: 'GSTIN,Legal Name,Trade Name,Date of Registration,Status',
    kept: `${gstin[0]},ONE TRADERS,ONE,2019-05-25,Active`,
    torn: [`${gstin[1]},TWO TRADERS,TWO,2019-05-25,Active`, `${gstin[1]},TWO TRA`],
    absent: `${gstin[2]},THREE TRADERS,THREE,2019-05-25,Active`,
  },
  {
    ...{ source: 'mca-directorships', table: 'registry.directorship', told: 'right(din, 1)' },
    header: 'CIN,DIN,Designation,DateOfAppointment',
    kept: `${cin(1)},10000011,Director,2019-05-25`,
    torn: [`${cin(1)},10000022,Managing Director,2019-05-25`, `${cin(1)},10000022,Managing Dir`],
    absent: `${cin(1)},10000033,Director,2019-05-25`,
  },
  {
    ...{ source: 'contacts', table: 'registry.contact', told: 'right(identifier, 1)' },
    header: 'entity,identifier,email,origin',
    kept: `company,${cin(1)},one@example.in,web`,
    torn: [`company,${cin(2)},two@example.in,web`, `company,${cin(2)},two@exa`],
    absent: `company,${cin(3)},three@example.in,web`,
  },
  {
    ...{ source: 'preferences', table: 'registry.contact_preference', told: 'right(value, 1)' },
    header: 'phone,preference,list',
    kept: '9812345671,do_not_contact,DND',
    torn: ['9812345672,do_not_contact,DND', '+91 98123 45672,do_no'],
    absent: '9812345673,do_not_contact,DND',
  },
  {
    ...{ source: 'pincodes', table: 'reference.pincode', told: 'right(pincode, 1)' },
    header: 'pincode,state,district,offices',
    kept: '403001,Goa,North Goa,3',
    torn: ['403002,Goa,North Goa,3', '403002,Go'],
    absent: '403003,Goa,North Goa,3',
  },
  {
    ...{ source: 'nic', table: 'reference.nic', told: 'right(code, 1)' },
    header: 'code,level,section,division,description',
    kept: '01111,class,A,1,Growing of wheat',
    torn: ['01112,class,A,1,Growing of rice', '01112,class,A'],
    absent: '01113,class,A,1,Growing of maize',
  },
  {
    ...{ source: 'hsn-sac', table: 'reference.tariff', told: 'right(code, 1)' },
    header: 'HSN Code,HSN Description',
    kept: '0101,Horses',
    torn: ['0102,Cattle', '0102'],
    absent: '0103,Swine',
  },
]

async function takeIn(source: string, asOf: string, lines: readonly string[]): Promise<void> {
  const { run_id: id, status } = await ingest(source, file(`${source}-${asOf}.csv`, `${lines.join('\n')}\n`), {
    ...{ asOf, mode: 'snapshot' as const },
  })
  if (status !== 'needs_approval') return
  await approveRun(database.db, queue, id, { supersede: true })
  await runSnapshot(dependencies(), id)
}

test.each(registers)('a torn row of $source closes nothing, and a record without a row is closed', async (register) => {
  const { source, table, header, kept, torn, absent, told } = register
  await takeIn(source, '2025-01-10', [header, kept, torn[0], absent])
  await takeIn(source, '2025-01-11', [header, kept, torn[1]])
  const rows = await database.db.query<{ n: string; open: boolean }>(
    `SELECT ${told} AS n, closed_on IS NULL AS open FROM ${table} ORDER BY 1`,
    told.includes('$1') ? [gstin] : [],
  )
  expect(rows).toEqual([
    { n: '1', open: true },
    { n: '2', open: true },
    { n: '3', open: false },
  ])
})
