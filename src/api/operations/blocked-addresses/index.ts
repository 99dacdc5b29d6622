import type { Operation } from '../../operation.ts'
import block from './block.ts'
import list from './list.ts'
import unblock from './unblock.ts'

export const blockedAddresses: readonly Operation[] = [list, block, unblock]
