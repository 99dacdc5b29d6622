/** What a search shows of a record, and the columns it is read from (row alias `r`). */

export interface CompanyHit {
  readonly CIN: string
  readonly companyName: string
  readonly State: string | null
  readonly City: string | null
  readonly paidUpCapital: number | null
  readonly llpStatus: string | null
}

export interface GstHit {
  readonly GSTIN: string
  readonly TradeName: string | null
  readonly state: string | null
  readonly Status: string | null
  readonly TaxpayerType: string | null
}

export interface Hits {
  company: CompanyHit
  gst: GstHit
}

export const hitColumns: Readonly<Record<keyof Hits, string>> = {
  company: `r.cin AS "CIN", r.name AS "companyName", r.state AS "State", r.city AS "City",
    r.paid_up_capital AS "paidUpCapital", r.status AS "llpStatus"`,
  gst: `r.gstin AS "GSTIN", r.trade_name AS "TradeName", r.state, r.status AS "Status",
    r.taxpayer_type AS "TaxpayerType"`,
}

export function identifierOf(hit: CompanyHit | GstHit): string {
  return 'CIN' in hit ? hit.CIN : hit.GSTIN
}
