/** The versions of a destination's mapping: who saved which and when. An earlier one can be restored. */
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { FieldMapping } from '../destinations/field-mapping.ts'

export interface MappingVersion {
  readonly version: number
  readonly saved_at: Date
  readonly saved_by: string
  readonly restored_from: number | null
  readonly fields: readonly FieldMapping[]
}

/** The id of an API key, or the name of who saved it. */
export type SavedBy = { readonly apiKeyId: string } | { readonly name: string }

/** Per destination; older ones are deleted. */
export const versionsMax = 100

/** Newest first. */
export function listVersions(db: Db, destinationId: string): Promise<MappingVersion[]> {
  return db.query<MappingVersion>(
    `SELECT version, saved_at, saved_by, restored_from, fields FROM deliver.mapping_version
     WHERE destination_id = $1 ORDER BY version DESC`,
    [destinationId],
  )
}

/** Version 0 is the mapping that a destination begins with, which sets no field. @throws AppError NOT_FOUND */
export async function readVersion(db: Db, destinationId: string, version: number): Promise<readonly FieldMapping[]> {
  if (version === 0) return []
  const [row] = await db.query<{ fields: FieldMapping[] }>(
    'SELECT fields FROM deliver.mapping_version WHERE destination_id = $1 AND version = $2',
    [destinationId, version],
  )
  if (row) return row.fields
  throw new AppError('NOT_FOUND', `The mapping of this destination has no version ${version}.`)
}

/** Called with the destination's row locked, so that no two versions get the same number. */
export async function saveVersion(
  tx: Queryable,
  destinationId: string,
  saved: { readonly mapping: readonly FieldMapping[]; readonly by: SavedBy; readonly restoredFrom: number | null },
): Promise<void> {
  const { mapping, by, restoredFrom } = saved
  await tx.execute(
    `WITH last AS (SELECT coalesce(max(version), 0) AS version FROM deliver.mapping_version WHERE destination_id = $1),
     old AS (
       DELETE FROM deliver.mapping_version WHERE destination_id = $1 AND version <= (SELECT version + 1 FROM last) - $6
     )
     INSERT INTO deliver.mapping_version (destination_id, version, fields, saved_by, restored_from)
     SELECT $1, last.version + 1, $2,
       coalesce((SELECT name || ' (' || display_prefix || ')' FROM access.api_key WHERE api_key_id = $3), $4), $5
     FROM last`,
    [
      destinationId,
      JSON.stringify(mapping),
      'apiKeyId' in by ? by.apiKeyId : null,
      'name' in by ? by.name : 'a deleted key',
      restoredFrom,
      versionsMax,
    ],
  )
}
