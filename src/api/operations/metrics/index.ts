import type { Operation } from '../../operation.ts'
import get from './get.ts'

export const metrics: readonly Operation[] = [get]
