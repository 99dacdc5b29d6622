/**
 * How connectors are made to break one promise each. A mutant is the real connector behind a wrapper, so that everything
 * else about it is right; the promise that it breaks must fail.
 */
import type {
  Connector,
  ConnectorSettings,
  CrmSession,
  OutgoingLead,
  PushOutcome,
  SessionOptions,
} from '../../../connectors/contract.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { AppError } from '../../../src/errors.ts'

export interface Mutation {
  /** Continues "a connector that …". */
  readonly fault: string
  /** Title of a promise that must fail. */
  readonly breaks: string
  mutate(connector: Connector, sandbox: () => Sandbox): Connector
  /** Changes what connectors share. @returns how to undo it. */
  patch?(): () => void
}

export type Session = (real: CrmSession, settings: ConnectorSettings) => Partial<CrmSession>

/** A connector whose sessions behave otherwise. */
export const session =
  (change: Session): Mutation['mutate'] =>
  (connector) => ({
    ...connector,
    open(settings, options) {
      const real = connector.open(settings, options)
      const changed = change(real, settings)
      return {
        identify: () => (changed.identify ?? real.identify).call(real),
        describe: () => (changed.describe ?? real.describe).call(real),
        setup: (mapped) => (changed.setup ?? real.setup).call(real, mapped),
        plan: (leads) => (changed.plan ?? real.plan).call(real, leads),
        push: (leads, place) => (changed.push ?? real.push).call(real, leads, place),
        lookup: (ids) => (changed.lookup ?? real.lookup).call(real, ids),
        limits: () => (changed.limits ?? real.limits).call(real),
        erase: (ids) => (changed.erase ?? real.erase).call(real, ids),
        adoption: real.adoption,
        joins: real.joins,
        get learnedBatchSize() {
          return real.learnedBatchSize
        },
      }
    },
  })

/** Outcomes are told otherwise. */
export const outcomes = (change: (each: PushOutcome, lead: OutgoingLead, all: readonly PushOutcome[]) => PushOutcome) =>
  session((real) => ({
    async push(leads) {
      const told = await real.push(leads)
      return told.map((each, n) => change(each, leads[n] as OutgoingLead, told))
    },
  }))

/** Leads are changed on their way. */
export const leadsAs = (change: (lead: OutgoingLead, real: CrmSession) => OutgoingLead | Promise<OutgoingLead>) =>
  session((real) => ({
    push: async (leads) => real.push(await Promise.all(leads.map(async (lead) => change(lead, real)))),
  }))

export const options =
  (change: (given: SessionOptions) => SessionOptions): Mutation['mutate'] =>
  (connector) => ({ ...connector, open: (settings, given) => connector.open(settings, change(given)) })

export const settingsAs =
  (change: (input: unknown, real: Connector) => ConnectorSettings): Mutation['mutate'] =>
  (connector) => ({ ...connector, readSettings: (input) => change(input, connector) })

/** A push that fails does so otherwise. */
export const failing = (change: (error: AppError, leads: readonly OutgoingLead[]) => readonly PushOutcome[]) =>
  session((real) => ({
    push: (leads) =>
      real.push(leads).catch((error: unknown) => {
        if (error instanceof AppError) return change(error, leads)
        throw error
      }),
  }))

export const heldNow = async (real: CrmSession, lead: OutgoingLead) =>
  (await real.lookup([lead.externalId])).get(lead.externalId)?.values ?? null

export const rejected: PushOutcome = { status: 'rejected', code: 'FAILED', field: null, message: 'The lead failed' }
export const sayUnknownIs = (other: (lead: OutgoingLead) => PushOutcome) =>
  outcomes((each, lead) => (each.status === 'unknown' ? other(lead) : each))
export const silent: PushOutcome = { status: 'unknown', message: 'the answer holds no result for this lead' }
export const claimed = (lead: OutgoingLead): PushOutcome => ({ status: 'created', crmId: lead.externalId, values: {} })

export async function oneByOne(real: CrmSession, leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
  const told: PushOutcome[] = []
  for (const lead of leads) told.push(...(await real.push([lead])))
  return told
}

export function eachCell({ row }: OutgoingLead, change: (text: string) => string): OutgoingLead['row'] {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  )
}

export function claimedUnless(each: PushOutcome, lead: OutgoingLead): PushOutcome {
  return 'crmId' in each ? each : claimed(lead)
}

export function isEdited(lead: OutgoingLead, held: Readonly<Record<string, unknown>> | undefined): boolean {
  const { lastPushed } = lead
  return lastPushed !== null && Object.entries(lastPushed).some(([field, value]) => held?.[field] !== value)
}
