import type { Operation } from '../../operation.ts'
import closeMonth from './close-month.ts'
import exportMonth from './export-month.ts'
import getMonth from './get-month.ts'
import list from './list.ts'

export const ledger: readonly Operation[] = [list, getMonth, exportMonth, closeMonth]
