/** A company's earlier and later identifiers, according to the newest snapshots. */
import type { Queryable } from '../../db/db.ts'

export interface CompanyLinks {
  readonly previous_cins: readonly string[]
  /** Companies that list this identifier as a former one. */
  readonly succeeded_by: readonly string[]
}

const statement = {
  name: 'company-links',
  text: `SELECT coalesce((SELECT previous_cins FROM registry.company WHERE cin = $1), '{}') AS previous_cins,
                ARRAY(SELECT cin FROM registry.company WHERE previous_cins @> ARRAY[$1::text] ORDER BY cin) AS succeeded_by`,
}

export async function readCompanyLinks(db: Queryable, cin: string): Promise<CompanyLinks> {
  const [links] = await db.query<CompanyLinks & Record<string, unknown>>(statement, [cin])
  return { previous_cins: links?.previous_cins ?? [], succeeded_by: links?.succeeded_by ?? [] }
}
