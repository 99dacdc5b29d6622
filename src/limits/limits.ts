/**
 * Every way in which a call is delayed, counted or refused, in the order in which a call meets them. The figures are
 * those of `config` and of the environment; `refused-by.ts` takes its codes from here, `docs/limits.md` and `panji
 * doctor` print it.
 */
import { connectionPools } from '../../config/connections.ts'
import { httpBounds } from '../../config/http-bounds.ts'
import { accountLimits } from './stages/account.ts'
import { answerLimits } from './stages/answer.ts'
import { bodyLimits } from './stages/body.ts'
import { connectionLimits } from './stages/connection.ts'
import { credentialsLimits } from './stages/credentials.ts'
import type { LimitSettings, Limits } from './stages/limit.ts'
import { requestLimits } from './stages/request.ts'
import { storedLimits } from './stages/stored.ts'
import { workLimits } from './stages/work.ts'

export interface Stage {
  readonly title: string
  readonly limits: Limits
}

export const stages: readonly Stage[] = [
  { title: 'The connection', limits: connectionLimits },
  { title: 'The request', limits: requestLimits },
  { title: 'Credentials', limits: credentialsLimits },
  { title: 'The account', limits: accountLimits },
  { title: 'The body', limits: bodyLimits },
  { title: 'The work', limits: workLimits },
  { title: 'Stored data', limits: storedLimits },
  { title: 'The answer', limits: answerLimits },
]

export const limits = {
  ...connectionLimits,
  ...requestLimits,
  ...credentialsLimits,
  ...accountLimits,
  ...bodyLimits,
  ...workLimits,
  ...storedLimits,
  ...answerLimits,
}

export type LimitName = keyof typeof limits

export const usualSettings: LimitSettings = {
  connectionsMax: httpBounds.connectionsMax,
  expensiveReads: connectionPools.expensiveReads,
}
