import type { Operation } from '../../operation.ts'
import check from './check.ts'
import checkReadiness from './check-readiness.ts'

export const health: readonly Operation[] = [check, checkReadiness]
