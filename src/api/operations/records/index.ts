import type { Operation } from '../../operation.ts'
import get from './get.ts'
import getHistory from './get-history.ts'
import listRunChanges from './list-run-changes.ts'

export const records: readonly Operation[] = [listRunChanges, get, getHistory]
