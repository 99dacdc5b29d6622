import type { Operation } from '../../operation.ts'
import approve from './approve.ts'
import cancel from './cancel.ts'
import discard from './discard.ts'
import get from './get.ts'
import identify from './identify.ts'
import list from './list.ts'
import listQuality from './list-quality.ts'
import preview from './preview.ts'
import repeat from './repeat.ts'
import start from './start.ts'
import undo from './undo.ts'
import upload from './upload.ts'
import watch from './watch.ts'

export const runs: readonly Operation[] = [
  list,
  get,
  approve,
  undo,
  cancel,
  preview,
  discard,
  watch,
  start,
  upload,
  identify,
  repeat,
  listQuality,
]
