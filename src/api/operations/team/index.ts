import type { Operation } from '../../operation.ts'
import changeRole from './change-role.ts'
import invite from './invite.ts'
import list from './list.ts'
import remove from './remove.ts'

export const team: readonly Operation[] = [list, invite, changeRole, remove]
