import type { Operation } from '../../operation.ts'
import create from './create.ts'
import remove from './delete.ts'
import get from './get.ts'
import list from './list.ts'
import listNews from './list-news.ts'
import run from './run.ts'
import update from './update.ts'

export const savedScreeners: readonly Operation[] = [list, create, get, update, remove, run, listNews]
