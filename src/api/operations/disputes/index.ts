import type { Operation } from '../../operation.ts'
import decide from './decide.ts'
import list from './list.ts'

export const disputes: readonly Operation[] = [list, decide]
