import type { Operation } from '../../operation.ts'
import changeRole from './change-role.ts'
import invite from './invite.ts'
import list from './list.ts'
import remove from './remove.ts'
import resetFactor from './reset-factor.ts'
import setRules from './set-rules.ts'

export const team: readonly Operation[] = [list, invite, changeRole, remove, resetFactor, setRules]
