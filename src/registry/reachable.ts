/**
 * Filters by how a record can be reached. They match what orders charge for and quotes count: registry.ways_to_reach,
 * minus what the account's contact rules exclude.
 */
import { literal, sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import type { Conditions } from './paging/conditions.ts'
import { registerTables } from './register-table.ts'

export interface ReachFilter {
  readonly hasEmail?: boolean | undefined
  readonly hasMobile?: boolean | undefined
  /** Excludes contacts whose owner asked not to be contacted. */
  readonly excludesPreferences?: boolean | undefined
}

/** Contacts change independently of their records' register, so totals of such filters are not cached. */
export const asksForContacts = ({ hasEmail, hasMobile }: ReachFilter): boolean =>
  hasEmail !== undefined || hasMobile !== undefined

export function addReach(
  conditions: Conditions,
  entity: EntityType,
  { hasEmail, hasMobile, excludesPreferences = false }: ReachFilter,
): Conditions {
  const way = (kind: 'email' | 'mobile') => (wanted: string) =>
    sql`EXISTS (SELECT FROM registry.ways_to_reach(${literal(entity)}, ${registerTables[entity].key}) AS way
             WHERE way.kind = ${literal(kind)} AND NOT (way.barred AND ${excludesPreferences ? 'true' : 'false'})) = ${wanted}::boolean`
  return conditions.add(hasEmail, way('email')).add(hasMobile, way('mobile'))
}
