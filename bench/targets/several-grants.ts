/**
 * The whole server, with accounts of several overlapping grants: states, a district and a pincode, each with its own
 * days.
 */
import type { StartTarget } from '../server-thread.ts'
import { startPanji } from './full.ts'

export const startTarget: StartTarget = (databaseUrl, { accounts }) =>
  startPanji(databaseUrl, {
    plans: Array.from({ length: accounts }, () => 'premium'),
    walls: true,
    grants: [
      { states: ['Maharashtra', 'Goa'], from: '2024-01-01' },
      { states: ['Goa', 'Kerala'], from: '2022-01-01', to: '2025-12-31' },
      { states: ['Kerala', 'Punjab'], from: '2023-05-01' },
      { districts: ['Ratalpur'], from: '2020-01-01' },
      { pincodes: ['310000'] },
    ],
  })
