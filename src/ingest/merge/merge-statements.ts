/**
 * The set-based statements of the merge, put together from names declared in `config/sources`. Parameters are the
 * same in all of them: $1 run_id, $2 as_of, $3 the scopes for which a newer snapshot was applied before.
 */
import type { Registry } from '../../../config/sources/source.ts'
import type { Coverage } from '../check/coverage.ts'

export interface MergeStatements {
  /** Enters what is new and writes what changed. */
  readonly write: string
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
  /** The value after checked row `c`, with the existing row `t` or none. */
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
    coverage.get(name) === 'fill' ? `coalesce(t.${name}, c.${name})` : `c.${name}`
  const columns: Column[] = written.filter((name) => name !== key).map((name) => ({ name, next: next(name) }))
  const search = searchKey(registry, coverage)
  const feed = registry.feed
  const targetScope = registry.scope ? `t.${registry.scope}::text` : `'*'`

  const target = [...written, ...(search ? [search.column] : []), 'fingerprint', 'first_run_id', 'last_run_id', 'as_of']
  const source = [...written.map((name) => `c.${name}`), ...(search ? [`c.${search.column}`] : []), 'c.fingerprint']
  const usable = `c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))`

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
  const isNew = `t.${key} IS NULL`
  const write = `
-- Invariant: an identifier enters the register once. A row is written only where a covered column changed or a closed
-- record came back. Each leaves exactly one history row, with the fields before and after where there was a record. A
-- row that a newer snapshot changed is left alone, and so is one that a newer snapshot of its own scope saw, whatever
-- scope an older file claims for it. The advisory lock of the source keeps other writers of the register away, so that
-- neither the absence of a row nor its place can go stale. Each partition of a register has its own ctids. New rows are
-- sorted by key: the indexes fill in order.
WITH found AS MATERIALIZED (
  SELECT c.${key} AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         ${[...columns.map(({ name, next: value }) => `${value} AS ${name}`), ...(search ? [`${search.next} AS ${search.column}`] : [])].join(', ')},
         c.fingerprint,${feed ? ` t.${feed.registeredOn} AS day_before,` : ''}
         ${changedFields(key, columns, (column) => `t.${column.name}`)} AS before,
         ${changedFields(key, columns, (column) => column.next)} AS after
  FROM ${checked} c LEFT JOIN ${table} t ON t.${key} = c.${key}
  WHERE ${usable}
    AND (${isNew} OR t.as_of <= $2::date AND NOT (coalesce(${targetScope}, '*') = ANY($3::text[]))
                 AND (${['t.closed_on IS NOT NULL', ...differs].join(' OR ')}))
), updated AS (
  UPDATE ${table} t
  SET ${[...columns.map(({ name }) => name), ...(search ? [search.column] : [])].map((name) => `${name} = found.${name}`).join(', ')},
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1${feed ? `, t.${feed.registeredOn} AS day` : ''}
), inserted AS (
  INSERT INTO ${table} AS t (${target.join(', ')})
  SELECT ${[...written.map((name) => (name === key ? 'record_key' : name)), ...(search ? [search.column] : [])].join(', ')},
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1${feed ? `, t.${feed.registeredOn} AS day` : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT '${registry.entity}', record_key, $1::bigint,
         CASE WHEN place IS NULL THEN 'insert' WHEN closed_before IS NULL THEN 'update' ELSE 'reopen' END, $2::date,
         before || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('closed_on', closed_before) END,
         after || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE '{"closed_on": null}'::jsonb END
  FROM found
)${feed ? touchedDays(feed.dataset, 'SELECT day_before AS day FROM found UNION SELECT day FROM updated UNION SELECT day FROM inserted') : ''}
SELECT (SELECT count(*) FROM inserted) AS inserted, (SELECT count(*) FROM updated) AS updated`

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

  const absent =
    unmatched ??
    `(SELECT ${key} AS record_key, ${targetScope} AS scope_name, as_of FROM ${table} t WHERE closed_on IS NULL)`
  const findClosing = `
-- A record that stands in the file is not absent, even where its line was rejected: neither one whose identifier the
-- check could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT absent.record_key, absent.scope_name
FROM ${absent} absent
WHERE absent.as_of <= :as_of AND absent.scope_name = ANY(:scopes)
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = absent.record_key)`

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
  return { write, findClosing, close, reprint, firstLoad }
}

interface SearchKey {
  readonly column: string
  readonly next: string
}

/** The check gives the search form of the names in the file; names that the file lacks are those of the record. */
function searchKey(registry: Registry, coverage: ReadonlyMap<string, Coverage>): SearchKey | undefined {
  for (const [column, rule] of Object.entries(registry.columns)) {
    if (rule.kind !== 'name-key') continue
    const covered = rule.of.filter((name) => coverage.get(name) === 'covered')
    if (covered.length === rule.of.length) return { column, next: `c.${column}` }
    const nextNames = rule.of.map((name) => `${covered.includes(name) ? 'c' : 't'}.${name}`)
    const changed = covered.map((name) => `t.${name} IS DISTINCT FROM c.${name}`)
    return {
      column,
      next: `CASE WHEN t.${registry.key} IS NULL THEN c.${column}
                  WHEN ${changed.join(' OR ')} THEN registry.name_key(coalesce(${[...nextNames, `''`].join(', ')}))
                  ELSE t.${column} END`,
    }
  }
  return undefined
}

/**
 * The fields of an existing row that change, as one object. It is written as text, because building objects of all
 * fields and taking the unchanged ones out again takes several times as long as the rest of the statement.
 */
const changedFields = (key: string, columns: readonly Column[], value: (column: Column) => string): string =>
  `CASE WHEN t.${key} IS NOT NULL THEN ('{' || concat_ws(',', ${columns
    .map(
      (column) =>
        `CASE WHEN t.${column.name} IS DISTINCT FROM ${column.next}
              THEN '"${column.name}":' || coalesce(to_json(${value(column)})::text, 'null') END`,
    )
    .join(', ')}) || '}')::jsonb END`

/** Notes the days of the feed whose counts the statement changed; `days` selects them as `day`. */
const touchedDays = (dataset: string, days: string): string => `, days AS (
  INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
  SELECT DISTINCT $1::bigint, '${dataset}', day FROM (${days}) touched WHERE day IS NOT NULL
  ON CONFLICT DO NOTHING
)`
