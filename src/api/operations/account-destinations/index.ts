import type { Operation } from '../../operation.ts'
import create from './create.ts'
import list from './list.ts'
import listKinds from './list-kinds.ts'
import pause from './pause.ts'
import remove from './remove.ts'
import resume from './resume.ts'
import test from './test.ts'

export const accountDestinations: readonly Operation[] = [listKinds, list, create, test, pause, resume, remove]
