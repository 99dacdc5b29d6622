import type { Operation } from '../../operation.ts'
import open from './open.ts'

export const sandbox: readonly Operation[] = [open]
