/** Snapshots of companies of one or several registrars, row by row, for tests about the outcome of runs. */
import type { IngestSetup } from './ingest.ts'

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'

export interface SnapshotRow {
  readonly n: number
  readonly registrar?: string
  readonly status?: string
  readonly name?: string
  readonly capital?: number
  readonly month?: string
  /** Day of incorporation; without it one of `month` in 2019. */
  readonly incorporated?: string
}

export const cinOf = (n: number): string => `U74999GA2019PTC${String(n).padStart(6, '0')}`

const line = ({
  n,
  registrar = 'Goa',
  status = 'Active',
  name = `COMPANY ${n} PRIVATE LIMITED`,
  capital = 100000,
  month = '05',
  incorporated = `2019-${month}-0${(n % 9) + 1}`,
}: SnapshotRow) =>
  `${cinOf(n)},${name},ROC ${registrar},Company limited by shares,Private,${capital},${capital},${incorporated},"X,PANAJI,North Goa,Goa,403001-India",Unlisted,${status},goa,74999`

export const snapshotText = (rows: readonly SnapshotRow[]): string => `${[header, ...rows.map(line)].join('\n')}\n`

/** Companies `from` to `to`, each with the common values. */
export const companies = (from: number, to: number, common: Omit<SnapshotRow, 'n'> = {}): SnapshotRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ n: from + index, ...common }))

/** Writes snapshots to files of their own. */
export function snapshotFiles(setup: Pick<IngestSetup, 'file'>): (rows: readonly SnapshotRow[]) => string {
  let files = 0
  return (rows) => setup.file(`snapshot-${++files}.csv`, snapshotText(rows))
}
