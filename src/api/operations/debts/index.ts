import type { Operation } from '../../operation.ts'
import collect from './collect.ts'
import list from './list.ts'
import writeOff from './write-off.ts'

export const debts: readonly Operation[] = [list, collect, writeOff]
