import type { Operation } from '../../operation.ts'
import get from './get.ts'

export const access: readonly Operation[] = [get]
