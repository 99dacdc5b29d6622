/**
 * What an account's date searches may not find: the registrations that the feeds sell, except those within its own
 * entitlement.
 */
import { saleHorizonDays } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import type { EntityType } from '../domain/identity.ts'
import { daysAfter } from '../domain/iso-date.ts'
import type { SoldRegistrations } from '../domain/scope.ts'
import { covers, simplestUnion } from '../domain/scope-union.ts'
import { effectiveScope, scopeOf } from './entitlements.ts'

/**
 * @param known today in India, if the caller has read it. @returns null where nothing is withheld: the dataset is open
 * nationwide, from before the sale horizon until today.
 */
export async function soldRegistrations(
  db: Queryable,
  account: { readonly accountId: string; readonly isEnterprise: boolean },
  dataset: EntityType,
  known?: string,
): Promise<SoldRegistrations | null> {
  const { grants } = await effectiveScope(db, account, dataset)
  const today = known ?? (await readToday(db))
  const from = daysAfter(today, -saleHorizonDays)
  const entitled = simplestUnion(grants.map(scopeOf))
  const everythingSold = { states: null, districts: null, pincodes: null, from, to: today }
  return entitled.some((scope) => covers(scope, everythingSold)) ? null : { dataset, from, entitled }
}
