import type { Operation } from '../../operation.ts'
import plan from './plan.ts'
import resend from './resend.ts'

export const resends: readonly Operation[] = [plan, resend]
