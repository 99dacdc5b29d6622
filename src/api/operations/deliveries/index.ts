import type { Operation } from '../../operation.ts'
import exportOne from './export.ts'
import find from './find.ts'
import findAttempts from './find-attempts.ts'
import fix from './fix.ts'
import getReceipt from './get-receipt.ts'
import list from './list.ts'
import listAttempts from './list-attempts.ts'
import openSandbox from './open-sandbox.ts'
import planPush from './plan-push.ts'
import pushOrder from './push-order.ts'
import retry from './retry.ts'
import retryForAccount from './retry-for-account.ts'
import retrySeveral from './retry-several.ts'
import summarise from './summarise.ts'

export const deliveries: readonly Operation[] = [
  planPush,
  pushOrder,
  list,
  getReceipt,
  listAttempts,
  retrySeveral,
  retry,
  openSandbox,
  exportOne,
  fix,
  find,
  findAttempts,
  retryForAccount,
  summarise,
]
