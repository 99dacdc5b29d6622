/**
 * When leads are sent as a bulk job: from a number of due leads set in the settings, and earlier if the day's calls
 * run short.
 */
import type { BulkWay } from '../../bulk-way.ts'
import type { SalesforceClient } from '../client.ts'
import type { SalesforceSettings } from '../settings.ts'
import { keysPerCall } from './read-many.ts'

/**
 * Per job, half of Salesforce's internal batch size: the decision on each lead is held until the job has ended, and
 * with 10,000 the worker exceeded its 256 MiB.
 */
const leadsMax = 5_000
/** Fewer leads cost no more calls in collections than in a job. */
const shortFrom = 1_000
/** Share of the day's calls below which they are short. */
const shortShare = 0.2
/** Open, upload, close, polls, and three result files. */
const callsOfJob = 12

/** @returns undefined if leads are never sent as a job. */
export function bulkWay(settings: SalesforceSettings, client: SalesforceClient): BulkWay | undefined {
  const { bulk_from: bulkFrom, assignment_rule: rule, object } = settings
  // A job can name an assignment rule but not use the org's default one; and it writes one object, while an account
  // has its person.
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
