import type { Operation } from '../../operation.ts'
import exportOne from './export.ts'
import list from './list.ts'

export const rejects: readonly Operation[] = [list, exportOne]
