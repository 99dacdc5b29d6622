/**
 * What the company register should hold after a series of snapshots, computed row by row: the oracle for history reads.
 */
import fc from 'fast-check'

export interface CompanyRow {
  readonly n: number
  readonly name: string
  readonly status: string
  /** As the file writes it. */
  readonly capital: keyof typeof capitals
  readonly registrar: 'ROC Goa' | 'ROC Mumbai'
  readonly address: string
}
export interface CompanyStep {
  readonly mode: 'snapshot' | 'delta'
  /** The six-column format has no registrar, address or date. */
  readonly isShort: boolean
  readonly day: number
  readonly rows: readonly CompanyRow[]
}
export interface CompanyState {
  readonly companyName: string
  readonly llpStatus: string | null
  readonly authorisedCapital: number | null
  readonly registeredAddress: string | null
  readonly dateOfIncorporation: string | null
  readonly closedOn: number | null
}

const capitals = { '100000': 100_000, '"1,00,000.00"': 100_000, '9E+9': 9e9, '0.506': 0.51, NA: null } as const
const statuses: Readonly<Record<string, string | null>> = { Active: 'Active', 'Strike Off': 'Struck Off', NA: null }
const incorporatedOn = '2019-05-01'

export const cinOf = (n: number) => `U74999GA2019PTC00000${n}`
export const dayOf = (n: number) => new Date(Date.UTC(2025, 0, 10 + n)).toISOString().slice(0, 10)

const companyRow: fc.Arbitrary<CompanyRow> = fc.record({
  n: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom('KONKAN CASHEW LIMITED', 'CAFÉ "SÃO PEDRO" LIMITED'),
  status: fc.constantFrom(...Object.keys(statuses)),
  capital: fc.constantFrom('100000', '"1,00,000.00"', '9E+9', '0.506', 'NA'),
  registrar: fc.constantFrom('ROC Goa', 'ROC Goa', 'ROC Mumbai'),
  address: fc.constantFrom('1 MG ROAD;PANAJI', 'NA'),
})
export const companySteps: fc.Arbitrary<readonly CompanyStep[]> = fc.array(
  fc.record({
    mode: fc.constantFrom('snapshot', 'snapshot', 'delta'),
    isShort: fc.constantFrom(false, false, true),
    day: fc.integer({ min: 0, max: 7 }),
    rows: fc.uniqueArray(companyRow, { selector: ({ n }) => n, minLength: 1, maxLength: 4 }),
  }),
  { minLength: 2, maxLength: 7 },
)

export function companyFile({ isShort, rows }: CompanyStep): string {
  const lines = rows.map(({ n, name, status, capital, registrar, address }) => {
    const quoted = `"${name.replaceAll('"', '""')}"`
    return isShort
      ? `${cinOf(n)},${quoted},${status},${capital},1,Private`
      : `${cinOf(n)},${quoted},${registrar},Company limited by shares,Private,${capital},1,${incorporatedOn},${address},Unlisted,${status},goa,74999`
  })
  const header = isShort
    ? 'cin,company_name,status,authorized_capital,paidup_capital,class'
    : 'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
  return `${[header, ...lines].join('\n')}\n`
}

interface Known {
  registrar: string | null
  readonly versions: { readonly day: number; readonly state: CompanyState }[]
}

/** Applies snapshots by the documented rules. */
export class CompanyOracle {
  readonly #known = new Map<number, Known>()
  readonly #scopes = new Map<string, number>()

  apply({ mode, isShort, day, rows }: CompanyStep): void {
    const isStale = (scope: string | null) => scope !== null && (this.#scopes.get(scope) ?? day) > day
    const covered = new Set(isShort || mode === 'delta' ? [] : rows.map(({ registrar }) => registrar as string))
    for (const [n, record] of this.#known) {
      const last = record.versions.at(-1)
      if (!last || last.day > day || last.state.closedOn !== null || rows.some((row) => row.n === n)) continue
      if (record.registrar === null || !covered.has(record.registrar) || isStale(record.registrar)) continue
      record.versions.push({ day, state: { ...last.state, closedOn: day } })
    }
    for (const row of rows) this.#take(row, day, isShort, isStale)
    for (const scope of covered) if (!isStale(scope)) this.#scopes.set(scope, day)
  }

  /** @returns undefined where the register did not hold the record yet. */
  asOf(n: number, day: number): CompanyState | undefined {
    return this.#known.get(n)?.versions.findLast((version) => version.day <= day)?.state
  }

  #take(row: CompanyRow, day: number, isShort: boolean, isStale: (scope: string | null) => boolean): void {
    const registrar = isShort ? null : row.registrar
    const record = this.#known.get(row.n) ?? { registrar: null, versions: [] }
    const last = record.versions.at(-1)
    if (isStale(registrar) || isStale(record.registrar) || (last && last.day > day)) return
    const fromFullFile = {
      registeredAddress: row.address === 'NA' ? null : row.address,
      dateOfIncorporation: incorporatedOn,
    }
    const unknown = { registeredAddress: null, dateOfIncorporation: null }
    const state: CompanyState = {
      ...(last?.state ?? unknown),
      ...(isShort ? {} : fromFullFile),
      companyName: row.name,
      llpStatus: statuses[row.status] ?? null,
      authorisedCapital: capitals[row.capital],
      closedOn: null,
    }
    const isSame = last && JSON.stringify(state) === JSON.stringify({ ...state, ...last.state })
    if (isSame && (registrar ?? record.registrar) === record.registrar) return
    record.registrar = registrar ?? record.registrar
    record.versions.push({ day, state })
    this.#known.set(row.n, record)
  }
}
