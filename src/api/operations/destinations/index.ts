import type { Operation } from '../../operation.ts'
import beginConnect from './begin-connect.ts'
import create from './create.ts'
import remove from './delete.ts'
import finishConnect from './finish-connect.ts'
import get from './get.ts'
import list from './list.ts'
import listKinds from './list-kinds.ts'
import pause from './pause.ts'
import resume from './resume.ts'
import test from './test.ts'
import update from './update.ts'

export const destinations: readonly Operation[] = [
  listKinds,
  list,
  create,
  get,
  update,
  test,
  pause,
  resume,
  remove,
  beginConnect,
  finishConnect,
]
