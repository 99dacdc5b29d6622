/** When leads go as a job: from as many due leads on as the settings say, and earlier where the day's calls run short. */
import type { BulkWay } from '../../bulk-way.ts'
import type { SalesforceClient } from '../client.ts'
import type { SalesforceSettings } from '../settings.ts'
import { keysPerCall } from './read-many.ts'

/**
 * Of one job, half of the batches in which Salesforce works it off: what was decided of each lead is held until the job has ended,
 * and with 10,000 the worker outgrew its 256 MiB.
 */
const leadsMax = 5_000
/** Fewer leads cost no more calls in collections than a job does. */
const shortFrom = 1_000
/** Of the day's calls; where less is left, they are short. */
const shortShare = 0.2
/** Opened, uploaded, closed, looked at, and three files of results. */
const callsOfJob = 12

/** @returns undefined where no leads go as a job, however many there are. */
export function bulkWay(settings: SalesforceSettings, client: SalesforceClient): BulkWay | undefined {
  const { bulk_from: bulkFrom, assignment_rule: rule, object } = settings
  // A job can name a rule, and not the one that the org has for all; and it writes one object, where an account has its person.
  if (bulkFrom === 'off' || rule === 'default' || object === 'account') return undefined
  return {
    leadsMax,
    callsFor: (leads) => Math.ceil(leads / leadsMax) * callsOfJob + Math.ceil(leads / keysPerCall),
    async suits(due) {
      if (due >= bulkFrom) return true
      if (due < shortFrom) return false
      const { dailyUsed, dailyLimit } =
        client.lastLimits.dailyLimit === null ? await client.limits() : client.lastLimits
      return dailyUsed !== null && dailyLimit !== null && dailyLimit - dailyUsed < dailyLimit * shortShare
    },
  }
}
