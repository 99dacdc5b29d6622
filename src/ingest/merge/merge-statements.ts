/**
 * The set-based statements of the merge, put together from names declared in `config/registries`. Parameters are the
 * same in all of them: $1 run_id, $2 as_of, $3 the scopes for which a newer snapshot was applied before.
 */
import type { Registry } from '../../../config/registries/registry.ts'
import type { Coverage } from '../check/coverage.ts'

export interface MergeStatements {
  readonly insert: string
  readonly update: string
  /** $4 the scopes that the file covers. Fills the temporary table `closing`. */
  readonly findClosing: string
  readonly close: string
  /** $4 most rows to write. */
  readonly reprint: string
  readonly firstLoad: FirstLoadStatements
}

/** Fill a table without indexes that takes the register's place, see load-aside.ts. */
export interface FirstLoadStatements {
  readonly rows: (into: string) => string
  readonly history: (from: string) => string
  readonly days: (from: string) => string | undefined
}

interface Column {
  readonly name: string
  /** The value that an existing row `t` would have after checked row `c`. */
  readonly next: string
}

export function mergeStatements(
  registry: Registry,
  coverage: ReadonlyMap<string, Coverage>,
  checked: string,
  /** Table of the open records that no row of the file matched; without it every open record may be absent. */
  unmatched?: string,
): MergeStatements {
  const { table, key } = registry
  const written = Object.entries(registry.columns)
    .filter(([name, rule]) => coverage.get(name) !== 'absent' && rule.kind !== 'name-key')
    .map(([name]) => name)
  const next = (name: string): string =>
    coverage.get(name) === 'fill'
      ? `coalesce(t.${name}, c.${name})`
      : coverage.get(name) === 'covered'
        ? `c.${name}`
        : `t.${name}`
  const columns: Column[] = written.filter((name) => name !== key).map((name) => ({ name, next: next(name) }))
  const search = searchKey(registry, coverage)
  const feed = registry.feed
  const targetScope = registry.scope ? `t.${registry.scope}::text` : `'*'`

  const target = [...written, ...(search ? [search.column] : []), 'fingerprint', 'first_run_id', 'last_run_id', 'as_of']
  const source = [...written.map((name) => `c.${name}`), ...(search ? [`c.${search.column}`] : []), 'c.fingerprint']
  const usable = `c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))`

  const insert = `
-- Invariant: an identifier enters the register once, with one history row. The advisory lock of the source keeps other
-- writers away, so that NOT EXISTS cannot race. Sorted by key: the indexes fill in order.
WITH fresh AS (
  INSERT INTO ${table} AS t (${target.join(', ')})
  SELECT ${source.join(', ')}, $1::bigint, $1::bigint, $2::date
  FROM ${checked} c
  WHERE ${usable} AND NOT EXISTS (SELECT FROM ${table} present WHERE present.${key} = c.${key})
  ORDER BY c.${key}
  RETURNING t.${key} AS record_key${feed ? `, t.${feed.registeredOn} AS registered_on` : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of)
  SELECT '${registry.entity}', record_key, $1::bigint, 'insert', $2::date FROM fresh
)${feed ? touchedDays(feed.dataset, 'SELECT registered_on AS day FROM fresh') : ''}
SELECT count(*) AS rows FROM fresh`

  const firstLoad: FirstLoadStatements = {
    rows: (into) => `
INSERT INTO ${into} (${target.join(', ')})
SELECT ${source.join(', ')}, $1::bigint, $1::bigint, $2::date FROM ${checked} c WHERE ${usable}`,
    history: (from) => `
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of)
SELECT '${registry.entity}', ${key}, first_run_id, 'insert', as_of FROM ${from} ORDER BY ${key}`,
    days: (from) =>
      feed &&
      `INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
       SELECT DISTINCT first_run_id, '${feed.dataset}', ${feed.registeredOn} FROM ${from}
       WHERE ${feed.registeredOn} IS NOT NULL ON CONFLICT DO NOTHING`,
  }

  const differs = columns.map(({ name, next: value }) => `t.${name} IS DISTINCT FROM ${value}`)
  const update = `
-- Invariant: a row is written only where a covered column changed or a closed record came back, and each such row
-- leaves exactly one history row with the fields before and after. A row that a newer snapshot changed is left alone,
-- and so is one that a newer snapshot of its own scope saw, whatever scope an older file claims for it.
WITH changed AS MATERIALIZED (
  SELECT t.${key} AS record_key, t.closed_on AS closed_before,
         ${[...columns.map(({ name, next: value }) => `${value} AS ${name}`), ...(search ? [`${search.ofExisting} AS ${search.column}`] : [])].join(', ')},
         c.fingerprint,${feed ? ` t.${feed.registeredOn} AS day_before,` : ''}
         ${fieldsOf(columns, (column) => `t.${column.name}`)} - same.fields AS before,
         ${fieldsOf(columns, (column) => column.next)} - same.fields AS after
  FROM ${table} t JOIN ${checked} c ON c.${key} = t.${key}
    CROSS JOIN LATERAL (SELECT ${unchangedFields(columns)} AS fields) same
  WHERE c.fault IS NULL AND t.as_of <= $2::date
    AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND NOT (coalesce(${targetScope}, '*') = ANY($3::text[]))
    AND (${['t.closed_on IS NOT NULL', ...differs].join(' OR ')})
), written AS (
  UPDATE ${table} t
  SET ${[...columns.map(({ name }) => name), ...(search ? [search.column] : [])].map((name) => `${name} = changed.${name}`).join(', ')},
      fingerprint = changed.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM changed WHERE t.${key} = changed.record_key
  RETURNING 1${feed ? `, t.${feed.registeredOn} AS day_after` : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT '${registry.entity}', record_key, $1::bigint, CASE WHEN closed_before IS NULL THEN 'update' ELSE 'reopen' END, $2::date,
         before || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('closed_on', closed_before) END,
         after || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE '{"closed_on": null}'::jsonb END
  FROM changed
)${feed ? touchedDays(feed.dataset, 'SELECT day_before AS day FROM changed UNION SELECT day_after FROM written') : ''}
SELECT count(*) AS rows FROM changed`

  const reprint = `
-- Rows that say the same in other words, or were checked by other rules, are told by their new fingerprint next time.
-- No content changes, so no history. Bounded, because a file that was exported anew would rewrite the whole register.
UPDATE ${table} t SET fingerprint = same.fingerprint
FROM (SELECT t.${key} AS record_key, c.fingerprint
      FROM ${table} t JOIN ${checked} c ON c.${key} = t.${key}
      WHERE ${usable} AND t.closed_on IS NULL AND t.as_of <= $2::date AND t.last_run_id <> $1::bigint
        AND NOT (coalesce(${targetScope}, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.${key} = same.record_key`

  const findClosing = `
-- A record that stands in the file is not absent, even where its line was rejected: neither one whose identifier the
-- check could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT t.${key} AS record_key, ${targetScope} AS scope_name
FROM ${unmatched ? `${unmatched} u JOIN ${table} t ON t.${key} = u.record_key` : `${table} t`}
WHERE t.closed_on IS NULL AND t.as_of <= :as_of AND ${targetScope} = ANY(:scopes)
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = t.${key})`

  const close = `
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE ${table} t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.${key} = closing.record_key AND t.closed_on IS NULL
  RETURNING t.${key} AS record_key${feed ? `, t.${feed.registeredOn} AS registered_on` : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT '${registry.entity}', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
         jsonb_build_object('closed_on', $2::date)
  FROM closed
)${feed ? touchedDays(feed.dataset, 'SELECT registered_on AS day FROM closed') : ''}
SELECT count(*) AS rows FROM closed`
  return { insert, update, findClosing, close, reprint, firstLoad }
}

interface SearchKey {
  readonly column: string
  readonly ofExisting: string
}

/** The check gives the search form of the names in the file; names that the file lacks are those of the record. */
function searchKey(registry: Registry, coverage: ReadonlyMap<string, Coverage>): SearchKey | undefined {
  for (const [column, rule] of Object.entries(registry.columns)) {
    if (rule.kind !== 'name-key') continue
    const covered = rule.of.filter((name) => coverage.get(name) === 'covered')
    if (covered.length === rule.of.length) return { column, ofExisting: `c.${column}` }
    const nextNames = rule.of.map((name) => `${covered.includes(name) ? 'c' : 't'}.${name}`)
    const changed = covered.map((name) => `t.${name} IS DISTINCT FROM c.${name}`)
    return {
      column,
      ofExisting: `CASE WHEN ${changed.join(' OR ')} THEN registry.name_key(coalesce(${[...nextNames, `''`].join(', ')})) ELSE t.${column} END`,
    }
  }
  return undefined
}

/** All fields as one object. Taking the unchanged ones out of it costs a third of adding the changed ones one by one. */
const fieldsOf = (columns: readonly Column[], value: (column: Column) => string): string =>
  `jsonb_build_object(${columns.map((column) => `'${column.name}', ${value(column)}`).join(', ')})`

const unchangedFields = (columns: readonly Column[]): string =>
  `ARRAY[${columns.map(({ name, next }) => `CASE WHEN t.${name} IS NOT DISTINCT FROM ${next} THEN '${name}' END`).join(', ')}]::text[]`

/** Notes the days of the feed whose counts the statement changed; `days` selects them as `day`. */
const touchedDays = (dataset: string, days: string): string => `, days AS (
  INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
  SELECT DISTINCT $1::bigint, '${dataset}', day FROM (${days}) touched WHERE day IS NOT NULL
  ON CONFLICT DO NOTHING
)`
