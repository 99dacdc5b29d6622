/** One company or LLP by its identifier, as the API's details name its fields; undefined when unknown. */
import type { Queryable } from '../../db/db.ts'

export interface CompanyDetails {
  readonly CIN: string
  readonly companyName: string
  readonly companyType: string
  readonly classOfCompany: string | null
  readonly companyCategory: string | null
  readonly llpStatus: string | null
  readonly dateOfIncorporation: string | null
  readonly authorisedCapital: number | null
  readonly paidUpCapital: number | null
  readonly registeredAddress: string | null
  readonly City: string | null
  readonly State: string | null
  readonly Pincode: string | null
  readonly email: string | null
  readonly NICCode: number | null
  readonly NICDescription: string | null
}

/** Of a company row `c` and the `email` of `k` under which it is reached. */
export const companyColumns = `c.cin AS "CIN", c.name AS "companyName", c.company_type AS "companyType",
           c.class AS "classOfCompany", c.category AS "companyCategory", c.status AS "llpStatus",
           c.incorporated_on AS "dateOfIncorporation", c.authorised_capital AS "authorisedCapital",
           c.paid_up_capital AS "paidUpCapital", c.registered_address AS "registeredAddress",
           c.city AS "City", c.state AS "State", c.pincode AS "Pincode",
           k.email, c.nic_code AS "NICCode", c.nic_description AS "NICDescription"`

const statement = {
  name: 'company-details',
  text: `SELECT ${companyColumns}
         FROM registry.company c
         LEFT JOIN LATERAL (
           SELECT way.value AS email FROM registry.ways_to_reach('company', c.cin) way
           WHERE way.kind = 'email' ORDER BY (way.origin = 'mca-companies') IS NOT TRUE, way.place LIMIT 1
         ) k ON true
         WHERE c.cin = $1`,
}

export async function readCompanyDetails(db: Queryable, cin: string): Promise<CompanyDetails | undefined> {
  const [found] = await db.query<CompanyDetails>(statement, [cin])
  return found
}
