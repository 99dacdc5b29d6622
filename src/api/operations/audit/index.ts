import type { Operation } from '../../operation.ts'
import list from './list.ts'
import listOwn from './list-own.ts'

export const audit: readonly Operation[] = [listOwn, list]
