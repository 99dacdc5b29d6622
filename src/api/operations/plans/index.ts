import type { Operation } from '../../operation.ts'
import buy from './buy.ts'
import list from './list.ts'

export const plans: readonly Operation[] = [list, buy]
