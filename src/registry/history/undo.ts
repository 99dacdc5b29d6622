/**
 * SQL of records as they were: the present row with its later changes undone. A record's changes have dates that
 * never go back, because the merge leaves a row alone that a newer snapshot changed; so the value of a field on a
 * day is what the first later change of that field found, else the present one.
 */
export interface Register {
  /** Name in ingest.change. */
  readonly entity: string
  readonly table: string
  readonly key: string
}

export const registers = {
  company: { entity: 'company', table: 'registry.company', key: 'cin' },
  gst: { entity: 'gst', table: 'registry.gst_taxpayer', key: 'gstin' },
  director: { entity: 'director', table: 'registry.director', key: 'din' },
  directorship: { entity: 'directorship', table: 'registry.directorship', key: 'id' },
  contact: { entity: 'contact', table: 'registry.contact', key: 'id' },
} as const satisfies Record<string, Register>

/**
 * The register's rows as of the day `$2`, as a subquery with the table's columns. Rows that were not yet known are
 * absent. `condition` names the present row `p` and may only use columns that never change. The bookkeeping columns
 * except closed_on, and name_key, keep their present values.
 */
export const rowsAsOf = ({ entity, table, key }: Register, condition: string): string => `(
  SELECT past.* FROM ${table} p
  CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(p) || ${undone(entity, `p.${key}`, 'h.as_of > $2::date')}) past
  WHERE ${condition} AND EXISTS (
    SELECT FROM ingest.change h
    WHERE h.entity = '${entity}' AND h.identifier = p.${key} AND h.as_of <= $2::date))`

/** The register's rows of the keys `$1` as they were first inserted: `identifier` and the row as `first`. */
export const firstRows = ({ entity, table, key }: Register): string => `
  SELECT p.${key} AS identifier, to_jsonb(p) || ${undone(entity, `p.${key}`, 'true')} AS first
  FROM ${table} p WHERE p.${key} = ANY($1::text[])`

const undone = (entity: string, identifier: string, later: string): string => `
  coalesce((
    SELECT jsonb_object_agg(earliest.field, earliest.value) FROM (
      SELECT DISTINCT ON (found.key) found.key AS field, found.value
      FROM ingest.change h CROSS JOIN LATERAL jsonb_each(h.before) found
      WHERE h.entity = '${entity}' AND h.identifier = ${identifier} AND ${later}
      ORDER BY found.key, h.change_id) earliest), '{}')`
