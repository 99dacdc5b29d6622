import type { Operation } from '../../operation.ts'
import create from './create.ts'
import list from './list.ts'
import listRequests from './list-requests.ts'
import revoke from './revoke.ts'

export const keys: readonly Operation[] = [list, create, revoke, listRequests]
