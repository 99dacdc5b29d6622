import type { Operation } from '../../operation.ts'
import erase from './erase.ts'
import get from './get.ts'
import getBilling from './get-billing.ts'
import getContactRules from './get-contact-rules.ts'
import getUsage from './get-usage.ts'
import setBilling from './set-billing.ts'
import setContactRules from './set-contact-rules.ts'

export const profile: readonly Operation[] = [
  get,
  getUsage,
  getContactRules,
  setContactRules,
  getBilling,
  setBilling,
  erase,
]
