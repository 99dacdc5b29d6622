/**
 * Removes what entries of the NIC list gave to the records of a register, after an undo removed or changed those
 * entries. A description came from one of them if the record has had it since they were loaded. The record gets the
 * description of the list that is left, else the value before that change; a record that is newer, or whose digits
 * changed with it, gets none, and the next import of its row provides the value. Parameters: $1 run_id of the undoing
 * run, $2 its day. `undoing` has the entries of the list.
 */
import type { ColumnRule, Source } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import { latestGiving } from './undo.ts'

export const hasDescriptions = ({ columns }: Source): boolean =>
  Object.values(columns).some((rule) => rule.kind === 'nic-description')

export function withdrawDescriptionsStatement(source: Source): string {
  const { entity, table, key } = source
  const described = Object.entries(source.columns).flatMap(([column, rule]) =>
    rule.kind === 'nic-description' ? [{ column, entry: entryOf(source, rule.level) }] : [],
  )
  const digits = ['nic-code', 'main-division'].map((by) => columnOf(source, (rule) => isDerived(rule, by)))
  const moved = [vintageOf(source), ...digits].map((column) => sql`latest.before ? ${literal(column)}`)
  const given = described.map(
    ({ column, entry }) => sql`
  SELECT t.${key} AS record_key, t.tableoid AS stored_in, t.ctid AS place, ${literal(column)} AS field, gone.text AS present,
         coalesce(gone.left_text,
                  CASE WHEN latest.kind <> 'insert' AND NOT (${moved.join(' OR ')}) THEN latest.before ->> ${literal(column)} END) AS earlier
  FROM gone
    JOIN ${table} t ON ${entry} = gone.id AND t.${column} = gone.text${latestGiving(source, column)}
  WHERE latest.change_id > gone.first_change`,
  )
  const restored = described.map(
    ({ column }) =>
      sql`${column} = CASE WHEN past.earlier ? ${literal(column)} THEN past.earlier ->> ${literal(column)} ELSE t.${column} END`,
  )
  return sql`
WITH gone AS MATERIALIZED (
  SELECT * FROM (
    SELECT w.identifier AS id, undoing.first_change, coalesce(w.before ->> 'description', entry.description) AS text,
           CASE WHEN entry.closed_on IS NULL THEN entry.description END AS left_text
    FROM ingest.change w
      JOIN undoing ON undoing.record_key = w.identifier
      LEFT JOIN reference.nic entry ON entry.id = w.identifier
    WHERE w.entity = 'nic' AND w.run_id = $1::bigint) taken
  WHERE text IS DISTINCT FROM left_text
), given AS MATERIALIZED (${given.join('\n  UNION ALL')}
), past AS MATERIALIZED (
  SELECT record_key, stored_in, place, jsonb_object_agg(field, present) AS present, jsonb_object_agg(field, earlier) AS earlier
  FROM given WHERE present IS DISTINCT FROM earlier GROUP BY record_key, stored_in, place
), restored AS (
  UPDATE ${table} t SET ${restored.join(', ')}, fingerprint = NULL
  FROM past WHERE t.ctid = past.place AND t.tableoid = past.stored_in
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT ${literal(entity)}, record_key, $1::bigint, 'update', $2::date, present, earlier FROM past
)
SELECT count(*) AS rows FROM past`
}

/** The id of the entry that describes a record `t`: of the digits as the check read them, from a division to a sub-class. */
function entryOf(source: Source, level: 'sub-class' | 'division'): string {
  const code = columnOf(source, (rule) => isDerived(rule, 'nic-code'))
  const division = columnOf(source, (rule) => isDerived(rule, 'main-division'))
  // The number has lost the zero that the division still begins with, and there is no division 00.
  const rest = sql`substr(t.${code}::text, length(ltrim(t.${division}, '0')) + 1)`
  const digits = level === 'division' ? sql`t.${division}` : sql`t.${division} || ${rest}`
  return sql`t.${vintageOf(source)} || ':' || ${digits}`
}

const vintageOf = (source: Source): string => columnOf(source, (rule) => rule.kind === 'nic-vintage')

const isDerived = (rule: ColumnRule, by: string): boolean => rule.kind === 'derived' && rule.by === by

function columnOf({ name, columns }: Source, isMeant: (rule: ColumnRule) => boolean): string {
  const [found] = Object.entries(columns).find(([, rule]) => isMeant(rule)) ?? []
  if (found === undefined) throw new Error(`${name} describes industries and has no digits of them`)
  return found
}
