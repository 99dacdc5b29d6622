/** Invented snapshots of companies: alternately a first and a second one, each of which changes what the other left. */

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'

export const cinOf = (n: number): string => `U74999GA2019PTC${String(n).padStart(6, '0')}`

const line = (n: number, status: string) =>
  `${cinOf(n)},COMPANY ${n} PRIVATE LIMITED,ROC Goa,Company limited by shares,Private,100000,100000,2019-05-0${(n % 9) + 1},"X ROAD,PANAJI,North Goa,Goa,403001-India",Unlisted,${status},goa,74999`

/**
 * The second inserts, changes, closes and reopens some of the first's companies, and the other way round; both have
 * three lines of dirt.
 */
export function companySnapshot(which: 'first' | 'second', companies = 4000): string {
  const second = which === 'second'
  const lines = Array.from({ length: companies }, (_, n) => n)
    .filter((n) => (second ? n % 50 !== 7 : n % 50 !== 9))
    .map((n) => line(n, second && n % 10 === 0 ? 'Strike Off' : 'Active'))
  return [header, ...lines, 'U74999GA2019PTC999999,TOO SHORT', line(1, 'Dormant'), 'NO CIN,"', ''].join('\n')
}

/** The companies numbered `from` to `to`, all alike but for the status. */
export function companyRange(from: number, to: number, status = 'Active'): string {
  const lines = Array.from({ length: to - from + 1 }, (_, index) => line(from + index, status))
  return [header, ...lines, ''].join('\n')
}

/** Days from 2025-01-01, so that each snapshot is newer than the one before. */
export const dayOf = (n: number): string => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10)
