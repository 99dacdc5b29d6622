/** Pages of any register's records by name, best match first, for operators, who see every open record. */
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { notWithheld } from '../details/director.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { Conditions } from '../paging/conditions.ts'
import { beyondPages, offsetRowsMax } from '../paging/page-cursor.ts'
import { registryVersion, totalOnce } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { searchByName } from './name-search.ts'

export interface NamedRecord {
  readonly identifier: string
  readonly name: string
  readonly state: string | null
  readonly status: string | null
}

export interface NamesAsked {
  readonly entity: EntityType
  /** Or an identifier. */
  readonly name: string
  readonly page: number
  readonly limit: number
}

/** @throws AppError BAD_REQUEST for a page beyond the limit of page numbers, QUERY_TOO_EXPENSIVE. */
export async function browseNames(
  db: Db,
  { entity, name, page, limit }: NamesAsked,
): Promise<{ readonly results: readonly NamedRecord[]; readonly total: number }> {
  if (page * limit > offsetRowsMax) throw beyondPages()
  const { table, key, name: nameColumn } = registerTables[entity]
  const conditions = () => {
    const open = new Conditions()
    return entity === 'director' ? open.require(notWithheld('r.din')) : open
  }
  return boundedRead(db, async (tx) => {
    const version = await registryVersion(tx, entity)
    const count = (where: Conditions) =>
      totalOnce(db, `${version}:${entity}:${where.fingerprint}`, async () => {
        return (await tx.query<{ total: number }>(where.countSql(entity), where.values))[0]?.total ?? 0
      })
    const wanted = { entity, name, conditions, limit, offset: (page - 1) * limit }
    const { ids, total } = await searchByName(tx, wanted, count)
    const results = await tx.query<NamedRecord>(
      sql`SELECT ${key} AS identifier, ${nameColumn} AS name, r.state, r.status
       FROM unnest($1::text[]) WITH ORDINALITY AS hit (id, place) JOIN ${table} r ON ${key} = hit.id ORDER BY hit.place`,
      [ids],
    )
    return { results, total }
  })
}
