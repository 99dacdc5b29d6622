/** Shares database connections fairly: the accounts that wait for one take turns, however many calls each has. */
import { actingAccount } from '../db/account-scope.ts'
import type { Turns } from '../db/fresh-connections.ts'
import { createGate, isRefused } from './gate.ts'

/** Calls without a known account share one queue. */
const anonymous = ''

/** @param places connections of the pool */
export function accountTurns(places: number): Turns {
  const gate = createGate({ places })
  return {
    waiting: () => gate.usage().waiting,
    async enter(signal) {
      const leave = await gate.enter(actingAccount() ?? anonymous, { atOnce: places }, { patient: true, signal })
      if (isRefused(leave)) throw new Error('a patient waiter cannot be refused')
      return leave
    },
  }
}
