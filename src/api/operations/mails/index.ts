import type { Operation } from '../../operation.ts'
import get from './get.ts'
import put from './put.ts'

export const mails: readonly Operation[] = [get, put]
