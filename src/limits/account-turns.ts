/** Connections of the database, shared fairly: the accounts that wait for one take turns, however many calls each has. */
import { actingAccount } from '../db/account-scope.ts'
import type { Turns } from '../db/fresh-connections.ts'
import { createGate, isRefused } from './gate.ts'

/** Whose call nobody knows yet waits in one line with all the others of this kind. */
const nobody = ''

/** @param places connections of the pool */
export function accountTurns(places: number): Turns {
  const gate = createGate({ places })
  return {
    waiting: () => gate.usage().waiting,
    async enter(signal) {
      const leave = await gate.enter(actingAccount() ?? nobody, { atOnce: places }, { patient: true, signal })
      if (isRefused(leave)) throw new Error('who waits patiently is not refused')
      return leave
    },
  }
}
