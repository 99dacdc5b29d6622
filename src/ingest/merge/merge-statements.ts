/**
 * The set-based statements of the merge, put together from names declared in `config/registries`. Parameters are the
 * same in all of them: $1 run_id, $2 as_of, $3 the scopes for which a newer snapshot was applied before.
 */
import type { FeedProjection, Registry } from '../../../config/registries/registry.ts'
import type { Coverage } from '../check/coverage.ts'

export interface MergeStatements {
  readonly insert: string
  readonly update: string
  /** $4 the scopes that the file covers. Fills the temporary table `closing`. */
  readonly findClosing: string
  readonly close: string
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

  const insert = `
-- Invariant: an identifier enters the register once, with one history row and at most one feed row. The advisory lock
-- of the source keeps other writers away, so that NOT EXISTS cannot race. Sorted by key: the indexes fill in order.
WITH fresh AS (
  INSERT INTO ${table} AS t (${[...written, ...(search ? [search.column] : [])].join(', ')}, first_run_id, last_run_id, as_of)
  SELECT ${[...written.map((name) => `c.${name}`), ...(search ? [search.ofChecked] : [])].join(', ')}, $1::bigint, $1::bigint, $2::date
  FROM ${checked} c
  WHERE c.fault IS NULL
    AND NOT EXISTS (SELECT FROM ${table} present WHERE present.${key} = c.${key})
    AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))
  ORDER BY c.${key}
  RETURNING t.${key} AS record_key${feed ? feedColumns(feed, 't') : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of)
  SELECT '${registry.entity}', record_key, $1::bigint, 'insert', $2::date FROM fresh
)${feed ? feedInsert(feed, 'fresh') : ''}
SELECT count(*) AS rows FROM fresh`

  const differs = columns.map(({ name, next: value }) => `t.${name} IS DISTINCT FROM ${value}`)
  const update = `
-- Invariant: a row is written only where a covered column changed or a closed record came back, and each such row
-- leaves exactly one history row with the fields before and after. A row that a newer snapshot changed is left alone,
-- and so is one that a newer snapshot of its own scope saw, whatever scope an older file claims for it.
WITH changed AS MATERIALIZED (
  SELECT t.${key} AS record_key, t.closed_on AS closed_before,
         ${[...columns.map(({ name, next: value }) => `${value} AS ${name}`), ...(search ? [`${search.ofExisting} AS ${search.column}`] : [])].join(', ')},
         ${feed ? `t.${feed.registeredOn} AS feed_before,` : ''}
         ${differences('t', columns, (column) => `t.${column.name}`)} AS before,
         ${differences('t', columns, (column) => column.next)} AS after
  FROM ${table} t JOIN ${checked} c ON c.${key} = t.${key}
  WHERE c.fault IS NULL AND t.as_of <= $2::date
    AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[])) AND NOT (coalesce(${targetScope}, '*') = ANY($3::text[]))
    AND (${['t.closed_on IS NOT NULL', ...differs].join(' OR ')})
), written AS (
  UPDATE ${table} t
  SET ${[...columns.map(({ name }) => name), ...(search ? [search.column] : [])].map((name) => `${name} = changed.${name}`).join(', ')},
      closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM changed WHERE t.${key} = changed.record_key
  RETURNING t.${key} AS record_key${feed ? feedColumns(feed, 't') : ''}
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT '${registry.entity}', record_key, $1::bigint, CASE WHEN closed_before IS NULL THEN 'update' ELSE 'reopen' END, $2::date,
         before || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('closed_on', closed_before) END,
         after || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE '{"closed_on": null}'::jsonb END
  FROM changed
)${feed ? feedUpdate(feed) : ''}
SELECT count(*) AS rows FROM changed`

  const findClosing = `
-- A record that stands in the file is not absent, even where its line was rejected: neither one whose identifier the
-- check could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT t.${key} AS record_key, ${targetScope} AS scope_name
FROM ${table} t
WHERE t.closed_on IS NULL AND t.as_of <= :as_of AND ${targetScope} = ANY(:scopes)
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = t.${key})`

  const close = `
-- Invariant: only open records are closed, each with one history row; a closed record leaves the feed.
WITH closed AS (
  UPDATE ${table} t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.${key} = closing.record_key AND t.closed_on IS NULL
  RETURNING t.${key} AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT '${registry.entity}', record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
         jsonb_build_object('closed_on', $2::date)
  FROM closed
)${feed ? feedDelete(feed, 'closed') : ''}
SELECT count(*) AS rows FROM closed`
  return { insert, update, findClosing, close }
}

interface SearchKey {
  readonly column: string
  readonly ofChecked: string
  readonly ofExisting: string
}

/** The search form is dear, so it is computed for new names and changed names only. */
function searchKey(registry: Registry, coverage: ReadonlyMap<string, Coverage>): SearchKey | undefined {
  for (const [column, rule] of Object.entries(registry.columns)) {
    if (rule.kind !== 'name-key') continue
    const covered = rule.of.filter((name) => coverage.get(name) === 'covered')
    const nextNames = rule.of.map((name) => `${covered.includes(name) ? 'c' : 't'}.${name}`)
    const changed = covered.map((name) => `t.${name} IS DISTINCT FROM c.${name}`)
    return {
      column,
      ofChecked: `registry.name_key(coalesce(${[...covered.map((name) => `c.${name}`), `''`].join(', ')}))`,
      ofExisting: `CASE WHEN ${changed.join(' OR ')} THEN registry.name_key(coalesce(${[...nextNames, `''`].join(', ')})) ELSE t.${column} END`,
    }
  }
  return undefined
}

const differences = (row: string, columns: readonly Column[], value: (column: Column) => string): string =>
  [
    `'{}'::jsonb`,
    ...columns.map(
      (column) =>
        `CASE WHEN ${row}.${column.name} IS DISTINCT FROM ${column.next} THEN jsonb_build_object('${column.name}', ${value(column)}) ELSE '{}'::jsonb END`,
    ),
  ].join('\n           || ')

const feedNames = 'registered_on, state, district, pincode, status, business_type, name_key'

function feedColumns(feed: FeedProjection, row: string): string {
  const business = feed.businessType === null ? 'NULL::text' : `${row}.${feed.businessType}`
  return `, ${row}.${feed.registeredOn} AS registered_on, ${row}.${feed.state} AS state, ${row}.${feed.district} AS district,
            ${row}.${feed.pincode} AS pincode, ${row}.${feed.status} AS status, ${business} AS business_type, ${row}.name_key`
}

function feedInsert(feed: FeedProjection, from: string): string {
  return `, entered AS (
  INSERT INTO feed.registration (dataset, identifier, ${feedNames})
  SELECT '${feed.dataset}', record_key, ${feedNames} FROM ${from} WHERE registered_on IS NOT NULL
), days AS (
  INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
  SELECT DISTINCT $1::bigint, '${feed.dataset}', registered_on FROM ${from} WHERE registered_on IS NOT NULL
  ON CONFLICT DO NOTHING
)`
}

function feedUpdate(feed: FeedProjection): string {
  return `, entered AS (
  INSERT INTO feed.registration AS r (dataset, identifier, ${feedNames})
  SELECT '${feed.dataset}', record_key, ${feedNames} FROM written WHERE registered_on IS NOT NULL
  ON CONFLICT (dataset, identifier) DO UPDATE
  SET (${feedNames}) = ROW (excluded.registered_on, excluded.state, excluded.district, excluded.pincode, excluded.status,
                            excluded.business_type, excluded.name_key)
  WHERE (r.registered_on, r.state, r.district, r.pincode, r.status, r.business_type, r.name_key) IS DISTINCT FROM
        (excluded.registered_on, excluded.state, excluded.district, excluded.pincode, excluded.status,
         excluded.business_type, excluded.name_key)
), left_feed AS (
  DELETE FROM feed.registration r USING written
  WHERE r.dataset = '${feed.dataset}' AND r.identifier = written.record_key AND written.registered_on IS NULL
), days AS (
  INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
  SELECT DISTINCT $1::bigint, '${feed.dataset}', day
  FROM (SELECT feed_before AS day FROM changed UNION SELECT registered_on FROM written) touched
  WHERE day IS NOT NULL
  ON CONFLICT DO NOTHING
)`
}

function feedDelete(feed: FeedProjection, from: string): string {
  return `, left_feed AS (
  DELETE FROM feed.registration r USING ${from}
  WHERE r.dataset = '${feed.dataset}' AND r.identifier = ${from}.record_key
  RETURNING r.registered_on
), days AS (
  INSERT INTO ingest.touched_day (run_id, dataset, registered_on)
  SELECT DISTINCT $1::bigint, '${feed.dataset}', registered_on FROM left_feed
  ON CONFLICT DO NOTHING
)`
}
