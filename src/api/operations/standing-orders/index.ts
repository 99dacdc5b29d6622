import type { Operation } from '../../operation.ts'
import approve from './approve.ts'
import change from './change.ts'
import create from './create.ts'
import end from './end.ts'
import get from './get.ts'
import list from './list.ts'
import listAll from './list-all.ts'
import listRuns from './list-runs.ts'
import pause from './pause.ts'
import pauseAll from './pause-all.ts'
import pauseEveryAccount from './pause-every-account.ts'
import preview from './preview.ts'
import previewDraft from './preview-draft.ts'
import resume from './resume.ts'
import skip from './skip.ts'

export const standingOrders: readonly Operation[] = [
  ...[list, create, pauseAll, get, change, pause, resume, end, preview, previewDraft, listRuns, approve, skip],
  ...[listAll, pauseEveryAccount],
]
