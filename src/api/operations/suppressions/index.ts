import type { Operation } from '../../operation.ts'
import add from './add.ts'
import list from './list.ts'
import remove from './remove.ts'

export const suppressions: readonly Operation[] = [list, add, remove]
