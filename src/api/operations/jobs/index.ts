import type { Operation } from '../../operation.ts'
import discard from './discard.ts'
import list from './list.ts'
import listDead from './list-dead.ts'
import redrive from './redrive.ts'

export const jobs: readonly Operation[] = [list, listDead, redrive, discard]
