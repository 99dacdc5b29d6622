import type { Operation } from '../../operation.ts'
import begin from './begin.ts'
import confirm from './confirm.ts'
import remove from './remove.ts'

export const secondFactor: readonly Operation[] = [begin, confirm, remove]
