/**
 * Writes the day after a sample, as deltas in the registries' own formats: new registrations with their contacts, and
 * changes and closures of existing records. Reproducible for the same day and records.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { companyHeader } from './company-lines.ts'
import { contactHeader } from './contact-lines.ts'
import { cell, writeSnapshotFile } from './snapshot-file.ts'

export interface KnownCompany {
  readonly cin: string
  readonly paidUp: number
  /** The cells of its row by column name, except those that change. */
  readonly cells: Readonly<Record<string, string | null>>
}

export interface NextDay {
  /** Created if missing. */
  readonly outDir: string
  /** The day of the registrations, YYYY-MM-DD. */
  readonly day: string
  /** Serial numbers of new companies start after this one. */
  readonly lastSerial: number
  /** Some raise their capital, and the last one is struck off. */
  readonly known: readonly KnownCompany[]
  readonly signal?: AbortSignal
}

const places = [
  ['Panaji', 'North Goa', '403001'],
  ['Mapusa', 'North Goa', '403507'],
  ['Margao', 'South Goa', '403601'],
  ['Vasco da Gama', 'South Goa', '403802'],
] as const
const firsts = ['Mandovi', 'Zuari', 'Sahyadri', 'Konkan', 'Chapora', 'Terekhol'] as const
const trades = ['Solar', 'Logistics', 'Foods', 'Software', 'Textiles'] as const
const newCompanies = 6

/** Contacts come first: a company without a contact is not bought. */
export async function writeNextDay({ outDir, day, lastSerial, known, signal }: NextDay) {
  await mkdir(outDir, { recursive: true })
  const serials = Array.from({ length: newCompanies }, (_, index) => lastSerial + index + 1)
  const write = async (source: string, header: string, lines: readonly string[]) => {
    const path = join(outDir, `${source}.csv`)
    return { source, path, rows: await writeSnapshotFile(path, header, lines, { signal, onBlock: () => undefined }) }
  }
  return {
    files: [
      await write(
        'contacts',
        contactHeader,
        serials.map((serial) => contactOf(serial, day)),
      ),
      await write('mca-companies', companyHeader, [
        ...serials.map((serial) => companyOf(serial, day)),
        ...known.map((company, index) => changedOf(company, index === known.length - 1)),
      ]),
    ],
  }
}

const cinOf = (serial: number, day: string) => `U62099GA${day.slice(0, 4)}PTC${String(serial).padStart(6, '0')}`

const nameOf = (serial: number) =>
  `${firsts[serial % firsts.length]} ${trades[serial % trades.length]} ${serial} Private Limited`

function companyOf(serial: number, day: string): string {
  const [city, district, pin] = places[serial % places.length] ?? places[0]
  return row([
    ...[
      cinOf(serial, day),
      nameOf(serial),
      'ROC Goa',
      'Company limited by shares',
      'Non-government company',
      'Private',
    ],
    ...[
      '1000000',
      String(100_000 + (serial % 9) * 50_000),
      day,
      `${serial % 90} Market Road, ${city}, ${district}, Goa, ${pin}-India`,
    ],
    ...['Unlisted', 'Active', 'goa', 'Indian', '62099', 'Other information technology and computer service activities'],
  ])
}

function changedOf({ cin, paidUp, cells }: KnownCompany, isStruckOff: boolean): string {
  const capital = String(paidUp + 1_000_000)
  const changed: Readonly<Record<string, string>> = {
    CIN: cin,
    ...{ AuthorizedCapital: capital, PaidupCapital: capital, CompanyStatus: isStruckOff ? 'Strike Off' : 'Active' },
  }
  return row(companyHeader.split(',').map((name) => changed[name] ?? cells[name] ?? ''))
}

const contactOf = (serial: number, day: string): string =>
  row([
    ...[
      'company',
      cinOf(serial, day),
      `office@mandovi${serial}.example.in`,
      `66109${String(serial % 100_000).padStart(5, '0')}`,
    ],
    ...['', `https://mandovi${serial}.example.in`, 'Sample desk'],
  ])

const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\n`
