/**
 * A run's source with the headers that operators have mapped: for the run itself, or for earlier applied files of the
 * source.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { type ColumnMap, underColumnMap, withColumnMaps } from '../column-map.ts'
import { sourceNamed } from './request-run.ts'
import type { RunRecord } from './runs.ts'

/** How many of the newest runs are searched, and how many of their maps are used. */
const rememberedFrom = 50
const mapsMax = 10

export async function sourceOfRun(db: Queryable, run: Pick<RunRecord, 'source' | 'column_map'>): Promise<Source> {
  const source = sourceNamed(run.source)
  if (run.column_map) return underColumnMap(source, run.column_map)
  const runs = await db.query<{ map: ColumnMap }>(
    `SELECT column_map AS map FROM ingest.run
     WHERE source = $1 AND column_map IS NOT NULL AND status = 'succeeded' AND undone_by IS NULL ORDER BY run_id DESC LIMIT $2`,
    [source.name, rememberedFrom],
  )
  const maps = [...new Map(runs.map(({ map }) => [JSON.stringify(map), map])).values()]
  return withColumnMaps(source, maps.slice(0, mapsMax))
}
