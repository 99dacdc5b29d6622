import type { Operation } from '../../operation.ts'
import create from './create.ts'
import list from './list.ts'
import revoke from './revoke.ts'

export const grants: readonly Operation[] = [list, create, revoke]
