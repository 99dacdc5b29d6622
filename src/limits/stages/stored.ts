/** How much an account may have stored at one time. */
import { orderTerms, pendingPayments, quotas } from '../../../config/plans.ts'
import { webhookBounds } from '../../../config/webhooks.ts'
import { each, perPlan } from '../figures.ts'
import { type Limits, plansFile } from './limit.ts'

export const storedLimits = {
  storedRows: {
    what: 'Watchlists, watched entities, saved screeners, pending orders, destinations, standing orders, API keys, replaced keys that still work, and people',
    of: 'account',
    held: 'stored rows',
    figures: () =>
      perPlan(quotas, (held) =>
        each([
          ...[held.watchlists, held.watchedEntities, held.savedScreeners, held.pendingOrders, held.destinations],
          ...[held.standingDrafts, held.apiKeys, held.replacedKeys, held.people],
        ]),
      ),
    answer: { code: 'QUOTA_EXCEEDED' },
    setBy: plansFile,
  },
  sessions: {
    what: 'Sessions',
    of: 'account',
    held: 'stored rows',
    figures: () => perPlan(quotas, ({ sessions }) => each([sessions])),
    answer: { instead: 'the oldest ends' },
    setBy: plansFile,
  },
  pendingPurchases: {
    what: 'Purchases that wait for their payment',
    of: 'account',
    held: 'stored rows',
    figures: () => `${pendingPayments.purchasesMax}`,
    answer: { code: 'QUOTA_EXCEEDED' },
    setBy: plansFile,
  },
  openDisputes: {
    what: 'Reported items that wait for their decision',
    of: 'account',
    held: 'stored rows',
    figures: () => `${orderTerms.disputes.openMax}`,
    answer: { code: 'QUOTA_EXCEEDED' },
    setBy: plansFile,
  },
  webhooks: {
    what: 'Webhooks; replays of one event',
    of: 'account; event',
    held: 'stored rows',
    figures: () => `${webhookBounds.perAccountMax}; ${webhookBounds.replaysMax}`,
    answer: { code: 'QUOTA_EXCEEDED' },
    setBy: 'config/webhooks.ts',
  },
} as const satisfies Limits
