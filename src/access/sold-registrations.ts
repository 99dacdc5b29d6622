/** What an account's searches by date may not find: the registrations that the feeds sell, less its own entitlement. */
import { saleHorizonDays } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { isoDateOf } from '../domain/iso-date.ts'
import type { SoldRegistrations } from '../domain/scope.ts'
import { effectiveScope } from './entitlements.ts'

/** @returns null where nothing is withheld: the dataset is open nationwide, from before the sale horizon until today. */
export async function soldRegistrations(
  db: Queryable,
  account: { readonly accountId: string; readonly isEnterprise: boolean },
  dataset: EntityType,
): Promise<SoldRegistrations | null> {
  const { territory, date_window: window } = await effectiveScope(db, account, dataset)
  const now = Date.now()
  const from = isoDateOf(new Date(now - saleHorizonDays * 86_400_000))
  if (window === null) return { dataset, from, entitled: null }
  const isWhole =
    !territory.restricted &&
    (window.from === null || window.from <= from) &&
    (window.to === null || window.to >= isoDateOf(new Date(now)))
  if (isWhole) return null
  const { states, districts, pincodes } = territory
  return { dataset, from, entitled: { states, districts, pincodes, from: window.from, to: window.to } }
}
