/** Every operation of the API by resource, listed explicitly: no folder is scanned. */
import type { Operation } from '../operation.ts'
import { access } from './access/index.ts'
import { accountDestinations } from './account-destinations/index.ts'
import { accountKeys } from './account-keys/index.ts'
import { accountPeople } from './account-people/index.ts'
import { accounts } from './accounts/index.ts'
import { alerts } from './alerts/index.ts'
import { appSessions } from './app-sessions/index.ts'
import { audit } from './audit/index.ts'
import { blockedAddresses } from './blocked-addresses/index.ts'
import { consoleSessions } from './console-sessions/index.ts'
import { credits } from './credits/index.ts'
import { debts } from './debts/index.ts'
import { deliveries } from './deliveries/index.ts'
import { destinations } from './destinations/index.ts'
import { details } from './details/index.ts'
import { disputes } from './disputes/index.ts'
import { feeds } from './feeds/index.ts'
import { filters } from './filters/index.ts'
import { grants } from './grants/index.ts'
import { health } from './health/index.ts'
import { history } from './history/index.ts'
import { invoices } from './invoices/index.ts'
import { jobs } from './jobs/index.ts'
import { keys } from './keys/index.ts'
import { leads } from './leads/index.ts'
import { ledger } from './ledger/index.ts'
import { mails } from './mails/index.ts'
import { mappings } from './mappings/index.ts'
import { metrics } from './metrics/index.ts'
import { offers } from './offers/index.ts'
import { operators } from './operators/index.ts'
import { orders } from './orders/index.ts'
import { overview } from './overview/index.ts'
import { partitions } from './partitions/index.ts'
import { payments } from './payments/index.ts'
import { plans } from './plans/index.ts'
import { profile } from './profile/index.ts'
import { records } from './records/index.ts'
import { reference } from './reference/index.ts'
import { rejects } from './rejects/index.ts'
import { resends } from './resends/index.ts'
import { runs } from './runs/index.ts'
import { sandbox } from './sandbox/index.ts'
import { savedScreeners } from './saved-screeners/index.ts'
import { schedules } from './schedules/index.ts'
import { screener } from './screener/index.ts'
import { secondFactor } from './second-factor/index.ts'
import { sessions } from './sessions/index.ts'
import { standingOrders } from './standing-orders/index.ts'
import { subscriptions } from './subscriptions/index.ts'
import { suppressions } from './suppressions/index.ts'
import { team } from './team/index.ts'
import { watchlists } from './watchlists/index.ts'
import { webhooks } from './webhooks/index.ts'

export const operations: readonly Operation[] = [
  ...health,
  ...sessions,
  ...appSessions,
  ...profile,
  ...keys,
  ...team,
  ...secondFactor,
  ...access,
  ...credits,
  ...invoices,
  ...plans,
  ...offers,
  ...subscriptions,
  ...feeds,
  ...details,
  ...history,
  ...screener,
  ...savedScreeners,
  ...filters,
  ...records,
  ...reference,
  ...watchlists,
  ...orders,
  ...standingOrders,
  ...leads,
  ...destinations,
  ...mappings,
  ...deliveries,
  ...resends,
  ...webhooks,
  ...mails,
  ...audit,
  ...suppressions,
  ...accounts,
  ...debts,
  ...alerts,
  ...blockedAddresses,
  ...runs,
  ...schedules,
  ...partitions,
  ...jobs,
  ...overview,
  ...rejects,
  ...sandbox,
  ...accountDestinations,
  ...accountKeys,
  ...accountPeople,
  ...grants,
  ...operators,
  ...ledger,
  ...payments,
  ...disputes,
  ...consoleSessions,
  ...metrics,
]

/**
 * The authentication in front of an operation: none for probes and for the entrance, where callers have no identity
 * yet.
 */
export type Guarded = 'probes' | 'developer' | 'operator' | 'entrance' | 'metrics'

export const operationsOf = (guarded: Guarded): Operation[] => operations.filter((each) => guardOf(each) === guarded)

function guardOf({ path, caller }: Operation): Guarded {
  if (path.startsWith('/api/') || path.startsWith('/app/')) return 'developer'
  if (path === '/metrics') return 'metrics'
  if (caller !== 'public') return 'operator'
  return path.startsWith('/console/') ? 'entrance' : 'probes'
}
