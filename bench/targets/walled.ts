/** The whole server unchanged: a paying customer first, then the hostile free accounts. */
import { hostileAccounts } from '../hostile/expensive-accounts.ts'
import type { StartTarget } from '../server-thread.ts'
import { startPanji } from './full.ts'

export const startTarget: StartTarget = (databaseUrl) =>
  startPanji(databaseUrl, {
    plans: ['premium', ...Array.from({ length: hostileAccounts }, () => 'free' as const)],
    walls: true,
  })
