/** Companies for the serving benches, written set-based: register rows and their feed rows, at most a million. */
import type { Db } from '../src/db/db.ts'

export const companiesMax = 999_999
export const benchCin = (number: number): string => `U62011GA2022PTC${String(number).padStart(6, '0')}`

export async function seedCompanies(db: Db, companies: number): Promise<void> {
  if (companies > companiesMax) throw new Error(`at most ${companiesMax} companies have a CIN here`)
  await db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, status, class, category, authorised_capital,
       paid_up_capital, incorporated_on, registered_address, city, state, pincode, nic_code, nic_description,
       first_run_id, last_run_id, as_of)
     SELECT 'U62011GA2022PTC' || lpad(n::text, 6, '0'), 'Company', 'BENCH COMPANY ' || n || ' PRIVATE LIMITED',
       'bench company ' || n, 'Active', 'Private', 'Company limited by shares', 1000000, 100000,
       date '2026-01-01' - (n * 7 % 3650), n || ', Church Road, Panaji, Goa', 'Panaji', 'Goa', '403001', 62011,
       'Writing, modifying, testing of computer program', 1, 1, '2026-01-01'
     FROM generate_series(1, $1::int) AS n`,
    [companies],
  )
  await db.execute(
    `INSERT INTO feed.registration (dataset, identifier, registered_on, state, district, pincode, status, business_type, name_key)
     SELECT 'company', cin, incorporated_on, state, district, pincode, status, class, name_key FROM registry.company`,
  )
  await db.execute('VACUUM ANALYZE registry.company, feed.registration')
}
