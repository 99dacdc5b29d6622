import type { Operation } from '../../operation.ts'
import cancel from './cancel.ts'
import list from './list.ts'
import renew from './renew.ts'

export const subscriptions: readonly Operation[] = [list, renew, cancel]
