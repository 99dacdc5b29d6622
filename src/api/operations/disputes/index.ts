import type { Operation } from '../../operation.ts'
import decide from './decide.ts'
import decideMany from './decide-many.ts'
import list from './list.ts'

export const disputes: readonly Operation[] = [list, decideMany, decide]
