/**
 * The records of one register that an import changed, collected once for all standing orders: their current versions,
 * and the previous versions of those that existed. Both are temporary tables with the register's columns, so that
 * queries run on them unchanged.
 */
import type { Tx } from '../db/db.ts'
import { changesOf } from '../db/history-with-inserts.ts'
import { literal, sql } from '../db/sql.ts'
import { registers } from '../registry/history/undo.ts'
import { registerTables } from '../registry/register-table.ts'
import type { ScreenerType } from '../registry/screener/fields.ts'
import { type Way, ways } from '../registry/screener/reach-fields.ts'
import type { Related } from './matcher.ts'

/** A name's search form is not in the history; it is derived from the names. */
const formerName: Readonly<Record<ScreenerType, string>> = {
  company: `CASE WHEN c.before ? 'name' THEN jsonb_build_object('name_key', registry.name_key(c.before ->> 'name')) ELSE '{}' END`,
  gst: `CASE WHEN c.before ?| '{trade_name,legal_name}' THEN jsonb_build_object('name_key', registry.name_key(coalesce(
      CASE WHEN c.before ? 'trade_name' THEN c.before ->> 'trade_name' ELSE r.trade_name END,
      CASE WHEN c.before ? 'legal_name' THEN c.before ->> 'legal_name' ELSE r.legal_name END))) ELSE '{}' END`,
}

/**
 * A company that lists, or changes its type or industry, gets another CIN, and its record is a new one: what it was
 * under the former one, which its source names, or which has the same registration number and name.
 */
const underFormerNumber = `SELECT earlier.* FROM standing_changed c JOIN registry.company r ON r.cin = c.identifier
     CROSS JOIN LATERAL (
       SELECT unnest(r.previous_cins) AS cin
       UNION ALL
       SELECT alike.cin FROM registry.company alike
       WHERE alike.name_key = r.name_key AND right(alike.cin, 6) = right(r.cin, 6) AND alike.cin <> r.cin
         AND length(alike.cin) = 21 AND length(r.cin) = 21
     ) named JOIN registry.company former ON former.cin = named.cin
     CROSS JOIN LATERAL jsonb_populate_record(former, jsonb_build_object('cin', r.cin)) AS earlier
     WHERE c.kind = 'insert' AND r.closed_on IS NULL`

export interface Touched {
  readonly now: number
  /** Of those, the records that existed before, the ones that return with what they were when they left. */
  readonly before: number
}

/** For an import of the register itself. */
export async function gatherTouched(tx: Tx, type: ScreenerType, importRunId: number): Promise<Touched> {
  const { table, key } = registerTables[type]
  await gatherChanged(tx, type, importRunId)
  await tx.execute(
    sql`CREATE TEMPORARY TABLE standing_now ON COMMIT DROP AS
     SELECT r.*, c.kind AS touched_by FROM standing_changed c JOIN ${table} r ON ${key} = c.identifier WHERE r.closed_on IS NULL`,
  )
  await tx.execute(
    sql`CREATE TEMPORARY TABLE standing_before ON COMMIT DROP AS
     SELECT earlier.* FROM standing_changed c JOIN ${table} r ON ${key} = c.identifier
     CROSS JOIN LATERAL jsonb_populate_record(r, c.before || ${formerName[type]}) AS earlier
     WHERE c.kind <> 'insert' AND r.closed_on IS NULL${type === 'company' ? sql` UNION ALL ${underFormerNumber}` : ''}`,
  )
  return ready(tx)
}

/**
 * For an import of contacts: the records that it gave a first contact of a kind. `new_email`, `new_mobile` and
 * `new_website` say which; otherwise they are unchanged.
 */
export async function gatherReached(tx: Tx, type: ScreenerType, importRunId: number): Promise<Touched> {
  const { table, key } = registerTables[type]
  const own = (way: Way) => (type === 'company' && way === 'email' ? 'r.email IS NULL AND' : '')
  const each = (sqlOf: (way: Way) => string, between: string) => ways.map(sqlOf).join(between)
  await gatherChanged(tx, 'contact', importRunId)
  await tx.execute(
    sql`CREATE TEMPORARY TABLE standing_now ON COMMIT DROP AS
     SELECT r.*, ${each((way) => sql`brought.new_${way} AND ${own(way)} ${alone(way)} AS new_${way}`, ', ')}
     FROM (SELECT contact.identifier, ${each((way) => sql`bool_or(${isNew(way)}) AS new_${way}`, ', ')}
           FROM standing_changed c JOIN registry.contact ON contact.id = c.identifier
           WHERE contact.entity = ${literal(type)} AND contact.closed_on IS NULL
           GROUP BY contact.identifier) brought
     JOIN ${table} r ON ${key} = brought.identifier
     WHERE r.closed_on IS NULL AND (${each((way) => sql`brought.new_${way}`, ' OR ')})`,
  )
  await tx.execute('CREATE TEMPORARY TABLE standing_before ON COMMIT DROP AS SELECT * FROM standing_now')
  return ready(tx)

  /** No other contact had one before. */
  function alone(way: Way): string {
    return sql`NOT EXISTS (SELECT FROM registry.contact other
      WHERE other.entity = ${literal(type)} AND other.identifier = ${key} AND other.closed_on IS NULL AND other.${way} IS NOT NULL
        AND other.id NOT IN (SELECT c.identifier FROM standing_changed c))`
  }
}

/** For an import of directorships: the companies whose directors it changed, with the size of their board before. */
export async function gatherSeated(tx: Tx, importRunId: number): Promise<Touched> {
  await gatherChanged(tx, 'directorship', importRunId)
  await tx.execute(
    `CREATE TEMPORARY TABLE standing_now ON COMMIT DROP AS
     SELECT r.*, board.size AS board_before
     FROM (
       SELECT seat.cin, count(DISTINCT seat.din) FILTER (WHERE
           CASE c.kind WHEN 'insert' THEN false WHEN 'reopen' THEN true WHEN 'close' THEN true ELSE seat.closed_on IS NULL END
           AND CASE WHEN c.before ? 'ceased_on' THEN c.before ->> 'ceased_on' ELSE seat.ceased_on::text END IS NULL) AS size
       FROM registry.directorship seat LEFT JOIN standing_changed c ON c.identifier = seat.id
       WHERE seat.cin IN (SELECT split_part(identifier, '|', 1) FROM standing_changed) GROUP BY seat.cin) board
     JOIN registry.company r USING (cin)
     WHERE r.closed_on IS NULL`,
  )
  await tx.execute('CREATE TEMPORARY TABLE standing_before ON COMMIT DROP AS SELECT * FROM standing_now')
  return ready(tx)
}

const isNew = (way: Way): string =>
  sql`contact.${way} IS NOT NULL AND (c.kind = 'insert' OR c.before ? ${literal(way)} AND c.before ->> ${literal(way)} IS NULL)`

/** What the import wrote: the history, the longest of all tables, is read once. */
async function gatherChanged(tx: Tx, entity: ScreenerType | Related, importRunId: number): Promise<void> {
  await tx.execute('DROP TABLE IF EXISTS pg_temp.standing_changed, pg_temp.standing_now, pg_temp.standing_before')
  await tx.execute(
    sql`CREATE TEMPORARY TABLE standing_changed ON COMMIT DROP AS SELECT identifier, kind, before
     FROM ${changesOf(registers[entity], sql`= ${importRunId}`)} written
     WHERE kind IN ('insert', 'update', 'reopen'${entity === 'directorship' ? sql`, 'close'` : ''})`,
  )
  await tx.execute('ANALYZE standing_changed')
}

async function ready(tx: Tx): Promise<Touched> {
  await tx.execute('ANALYZE standing_now')
  await tx.execute('ANALYZE standing_before')
  const [rows] = await tx.query<Touched>(
    `SELECT (SELECT count(*) FROM standing_now) AS now, (SELECT count(*) FROM standing_before) AS before`,
  )
  return rows ?? { now: 0, before: 0 }
}
