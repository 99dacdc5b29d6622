import type { Operation } from '../../operation.ts'
import getPurchase from './get-purchase.ts'
import listEntries from './list-entries.ts'
import listLots from './list-lots.ts'
import listPacks from './list-packs.ts'
import listPurchases from './list-purchases.ts'
import purchase from './purchase.ts'

export const credits: readonly Operation[] = [listLots, listEntries, listPacks, purchase, listPurchases, getPurchase]
