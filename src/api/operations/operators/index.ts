import type { Operation } from '../../operation.ts'
import add from './add.ts'
import list from './list.ts'
import revoke from './revoke.ts'

export const operators: readonly Operation[] = [list, add, revoke]
