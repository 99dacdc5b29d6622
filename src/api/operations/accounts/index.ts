import type { Operation } from '../../operation.ts'
import adjustCredits from './adjust-credits.ts'
import changePlan from './change-plan.ts'
import create from './create.ts'
import get from './get.ts'
import getUsage from './get-usage.ts'
import list from './list.ts'
import suspend from './suspend.ts'
import unsuspend from './unsuspend.ts'
import viewAs from './view-as.ts'

export const accounts: readonly Operation[] = [
  suspend,
  unsuspend,
  list,
  create,
  getUsage,
  viewAs,
  changePlan,
  get,
  adjustCredits,
]
