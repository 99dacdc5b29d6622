import type { Operation } from '../../operation.ts'
import list from './list.ts'
import pause from './pause.ts'
import remove from './remove.ts'
import resume from './resume.ts'
import run from './run.ts'
import set from './set.ts'

export const schedules: readonly Operation[] = [list, set, remove, run, pause, resume]
