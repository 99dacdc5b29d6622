import type { Operation } from '../../operation.ts'
import exportRunChanges from './export-run-changes.ts'
import find from './find.ts'
import get from './get.ts'
import getHistory from './get-history.ts'
import listRunChanges from './list-run-changes.ts'

export const records: readonly Operation[] = [listRunChanges, exportRunChanges, find, get, getHistory]
