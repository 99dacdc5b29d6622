import type { Operation } from '../../operation.ts'
import list from './list.ts'
import lower from './lower.ts'

export const partitions: readonly Operation[] = [list, lower]
