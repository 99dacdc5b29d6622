import type { Operation } from '../../operation.ts'
import activate from './activate.ts'
import activateForAccount from './activate-for-account.ts'
import buy from './buy.ts'
import list from './list.ts'

export const offers: readonly Operation[] = [buy, list, activate, activateForAccount]
