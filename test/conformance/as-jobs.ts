/**
 * A connector whose every push may go as a job, as the engine lets it: what a push keeps outlives its session, leads in flight
 * are pushed again with it, and whatever is thrown while something is kept leaves them unknown.
 */
import type { PushPlace } from '../../connectors/bulk-way.ts'
import type { Connector, OutgoingLead, PushOutcome } from '../../connectors/contract.ts'

export interface JobLog {
  /** By destination and leads; what the ledger would hold. */
  readonly kept: Map<string, Readonly<Record<string, unknown>>>
}

export function placeFor(log: JobLog, key: string, wait: PushPlace['wait'] = async () => {}): PushPlace {
  return {
    kept: log.kept.get(key) ?? null,
    async keep(value) {
      if (value === null) log.kept.delete(key)
      else log.kept.set(key, value)
    },
    wait,
  }
}

export function asJobs(connector: Connector): Connector {
  const log: JobLog = { kept: new Map() }
  return {
    ...connector,
    open(settings, options) {
      const real = connector.open(settings, options)
      const address = String(settings.values['login_url'])
      const push = async (leads: readonly OutgoingLead[], given?: PushPlace): Promise<readonly PushOutcome[]> => {
        if (leads.length === 0 || given !== undefined) return real.push(leads, given)
        const key = [address, ...leads.map(({ externalId }) => externalId)].join(' ')
        const wait = async () => options.signal.throwIfAborted()
        try {
          const outcomes = await real.push(leads, placeFor(log, key, wait))
          log.kept.delete(key)
          return outcomes
        } catch (error) {
          if (!log.kept.has(key) || options.signal.aborted) throw error
          return leads.map(() => ({ status: 'unknown', message: 'the job is under way' }))
        }
      }
      return {
        push,
        identify: () => real.identify(),
        describe: () => real.describe(),
        setup: (mapped) => real.setup(mapped),
        plan: (leads) => real.plan(leads),
        lookup: (ids) => real.lookup(ids),
        limits: () => real.limits(),
        erase: (ids, tell) => real.erase(ids, tell),
        adoption: real.adoption,
        joins: real.joins,
        get learnedBatchSize() {
          return real.learnedBatchSize
        },
        ...(real.bulk === undefined ? {} : { bulk: real.bulk }),
      }
    },
  }
}
