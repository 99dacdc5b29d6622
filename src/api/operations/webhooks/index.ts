import type { Operation } from '../../operation.ts'
import create from './create.ts'
import remove from './delete.ts'
import list from './list.ts'
import listEvents from './list-events.ts'
import replayEvent from './replay-event.ts'
import test from './test.ts'
import update from './update.ts'

export const webhooks: readonly Operation[] = [list, create, update, remove, test, listEvents, replayEvent]
