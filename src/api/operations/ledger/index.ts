import type { Operation } from '../../operation.ts'
import list from './list.ts'

export const ledger: readonly Operation[] = [list]
