/** Twenty typical queries, from selective to broad: as a caller writes them, and the condition an expert would write by hand. */
import type { ScreenerType } from '../src/registry/screener/fields.ts'

export interface ScreenerCase {
  readonly type: ScreenerType
  readonly query: string
  /** The same condition over the row alias `r`, with the values in it. */
  readonly byHand: string
}

const company = (query: string, byHand: string): ScreenerCase => ({ type: 'company', query, byHand })
const gst = (query: string, byHand: string): ScreenerCase => ({ type: 'gst', query, byHand })

/** `cin` is one company of the register. */
export const screenerCases = (cin: string): readonly ScreenerCase[] => [
  company(`CIN == '${cin}'`, `r.cin = '${cin}'`),
  company("company == 'SUNDEN EXPORTS PRIVATE LIMITED'", "r.name_key = 'sunden exports'"),
  company("company STARTS_WITH 'sundenk'", "r.name_key LIKE 'sundenk%'"),
  company("company CONTAINS 'den pharma'", "r.name_key LIKE '%den pharma%'"),
  company(
    "State == 'Goa' AND City == 'Britalpur' OR State == 'Goa' AND paidUpCapital > 5000000000",
    "(r.state = 'Goa' AND r.city = 'Britalpur' OR r.state = 'Goa' AND r.paid_up_capital > 5000000000)",
  ),
  company(
    "dateOfIncorporation BETWEEN '2026-10-01' AND '2026-10-05' AND State == 'Kerala'",
    "r.incorporated_on BETWEEN '2026-10-01' AND '2026-10-05' AND r.state = 'Kerala'",
  ),
  gst("saccd IN ['998346', '998347'] AND state == 'Punjab'", "r.sac_codes && '{998346,998347}' AND r.state = 'Punjab'"),
  gst("hsncd == '8471'", "r.hsn_codes @> '{8471}'"),
  gst(
    "TradeName CONTAINS 'textil' AND District == 'Nizenpur'",
    "r.name_key LIKE '%textil%' AND r.district = 'Nizenpur'",
  ),
  company("company CONTAINS 'sunden'", "r.name_key LIKE '%sunden%'"),
  company('NICCode IN [62256, 62493]', 'r.nic_code IN (62256, 62493)'),
  company(
    "paidUpCapital BETWEEN 100000000 AND 110000000 AND llpStatus == 'Active'",
    "r.paid_up_capital BETWEEN 100000000 AND 110000000 AND r.status = 'Active'",
  ),
  company("State == 'Kerala' AND paidUpCapital >= 10000000", "r.state = 'Kerala' AND r.paid_up_capital >= 10000000"),
  gst("state == 'Goa' AND Status == 'Active'", "r.state = 'Goa' AND r.status = 'Active'"),
  gst("DateOfRegistration >= '2026-07-01'", "r.registered_on >= '2026-07-01'"),
  company("Listed == 'Listed'", "r.listed = 'Listed'"),
  company(
    "dateOfIncorporation >= '2020-01-01' AND classOfCompany != 'Private'",
    "r.incorporated_on >= '2020-01-01' AND r.class <> 'Private'",
  ),
  company("State IN ['Maharashtra', 'Delhi']", "r.state IN ('Maharashtra', 'Delhi')"),
  gst("ConstitutionBusiness == 'Proprietorship'", "r.constitution = 'Proprietorship'"),
  company("llpStatus == 'Active'", "r.status = 'Active'"),
]
