/** Six-column company snapshots of any length, for tests about the handling of a file and not its rows. */
export const companyHeader = 'cin,company_name,status,authorized_capital,paidup_capital,class'

export const companyLine = (serial: number, status = 'Active'): string =>
  `U74999MH2020PTC${String(serial).padStart(6, '0')},COMPANY ${serial} PRIVATE LIMITED,${status},100000,100000,Private`

/** Companies 1 to `count`. */
export function companyFile(count: number, status = 'Active'): Buffer {
  const lines = Array.from({ length: count }, (_, index) => companyLine(index + 1, status))
  return Buffer.from([companyHeader, ...lines, ''].join('\n'))
}
