/**
 * Pushes leads into a CRM that keeps one record per lead. A push reads the records first, sends only what differs and
 * what the ownership rules allow, and returns one outcome per lead in the order given; pushing again leaves one
 * record. The port makes the actual calls. A plan takes the same steps and writes nothing.
 */
import { AppError } from '../src/errors.ts'
import { pushAsChanged } from './changed-fields.ts'
import type { OutgoingLead, PlannedAction, PushOutcome } from './contract.ts'
import { deferred } from './deferrals.ts'
import type { Known, Sought } from './known-records.ts'
import { NewRecords } from './new-records.ts'
import { plannedAction } from './planned-action.ts'
import type { Act, Decided, PushPort } from './push-port.ts'

export class PushEngine<Ground, Found, D extends Decided = Decided> {
  readonly #port: PushPort<Ground, Found, D>
  readonly #newRecords: NewRecords

  constructor(port: PushPort<Ground, Found, D>, newRecords = new NewRecords()) {
    this.#port = port
    this.#newRecords = newRecords
  }

  /** Finds records by external id, and by the CRM's own id if that was lost. Writes nothing. */
  async seek(sought: readonly Sought[], ground: Ground, act: Act): Promise<ReadonlyMap<string, Found>> {
    const found = await this.#port.find(sought, ground, act)
    const { records } = await this.#port.known(sought, found, ground, 'look')
    return new Map([...found, ...records])
  }

  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const port = this.#port
    const ground = await port.fields(leads, 'plan')
    const found = await port.find(leads, ground, 'plan')
    const known = await port.known(leads, found, ground, 'look')
    const decided = await port.decide(leads, new Map([...found, ...known.records]), ground)
    return decided.map((row) => plannedAction(port.crm, row, known, port.foreseen?.(row.lead, ground) ?? null))
  }

  push(given: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    return pushDistinct(given, async (distinct) => {
      let stoppedBy: AppError | null = null
      const outcomes = await pushAsChanged(distinct, this.#port.fieldsOfCrm, async (some) => {
        const report = await this.#pushEach(some)
        stoppedBy = report.stoppedBy
        return report.outcomes
      })
      return { outcomes, stoppedBy }
    })
  }

  async #pushEach(distinct: readonly OutgoingLead[]): Promise<PushReport> {
    const port = this.#port
    const ground = await port.fields(distinct, 'push')
    const outcomes = new Map<string, PushOutcome>()
    const leads = distinct.filter((lead) => {
      const refusal = port.foreseen?.(lead, ground) ?? null
      if (refusal !== null) outcomes.set(lead.itemId, { status: 'rejected', ...refusal })
      return refusal === null
    })
    // All are read before the first write: a failure up to here may be thrown, since nothing was written.
    const unread = this.#newRecords.mayBeCreated(leads)
    const byIdentity = unread ? new Map<string, Found>() : await port.find(leads, ground, 'push')
    if (!unread) this.#newRecords.note(leads, ({ externalId }) => byIdentity.has(externalId))
    const { found, rows, settled } = await this.decide(leads, byIdentity, ground)
    for (const [itemId, outcome] of settled) outcomes.set(itemId, outcome)
    const report = await port.write(rows, ground, unread ? 'create' : 'upsert')
    const { stoppedBy } = report
    if (stoppedBy !== null && report.outcomes.size === 0) throw stoppedBy
    for (const [itemId, outcome] of report.outcomes) outcomes.set(itemId, outcome)
    await this.#meetAgain(report.met, outcomes)
    await port.finish?.({ leads, ground, unread, found, outcomes, stoppedBy })
    return { outcomes, stoppedBy }
  }

  /** What is to be written for these leads, and the outcomes, by item id, of those for which nothing is. */
  async decide(leads: readonly OutgoingLead[], byIdentity: ReadonlyMap<string, Found>, ground: Ground) {
    const known = await this.#port.known(leads, byIdentity, ground, 'restore')
    const found = new Map([...byIdentity, ...known.records])
    const settled = new Map<string, PushOutcome>()
    const decided = await this.#port.decide(leads, found, ground)
    const rows = decided.filter((row) => {
      const outcome = settledAlready(row, known)
      if (outcome !== null) settled.set(row.lead.itemId, outcome)
      return outcome === null
    })
    return { found, rows, settled }
  }

  /** Leads that were to be created but already exist: read, decided and written like any known record. */
  async #meetAgain(met: readonly OutgoingLead[], outcomes: Map<string, PushOutcome>): Promise<void> {
    if (met.length === 0) return
    this.#newRecords.met()
    const results = await this.push(met).catch((error: unknown) => {
      if (error instanceof AppError) return met.map(({ itemId }) => outcomes.get(itemId) ?? deferred(error))
      throw error
    })
    for (const [n, { itemId }] of met.entries()) outcomes.set(itemId, results[n] ?? unsent(null))
  }
}

/** Outcomes by item id; missing leads were not sent, for the reason `stoppedBy`. */
interface PushReport {
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  readonly stoppedBy: AppError | null
}

/** CRMs refuse two rows with the same external id, which they compare ignoring case; the last lead wins. */
export async function pushDistinct(
  given: readonly OutgoingLead[],
  push: (distinct: readonly OutgoingLead[]) => Promise<PushReport>,
): Promise<readonly PushOutcome[]> {
  const distinct = new Map(given.map((lead) => [keyOf(lead), lead]))
  if (distinct.size === 0) return []
  const { outcomes, stoppedBy } = await push([...distinct.values()])
  return given.map((lead) => outcomes.get(distinct.get(keyOf(lead))?.itemId ?? '') ?? unsent(stoppedBy))
}

/** The outcome of a lead that needs no write: the record is gone, the lead is refused, or nothing differs. */
function settledAlready<Found>({ lead, record, refusal, decision }: Decided, known: Known<Found>): PushOutcome | null {
  const refused = known.refused.get(lead.externalId)
  if (refused !== undefined) return refused
  if (refusal !== null) return { status: 'rejected', ...refusal }
  if (record === undefined || Object.keys(decision.write).length > 0) return null
  const status = known.named.has(lead.externalId) ? 'updated' : 'unchanged'
  return { status, crmId: record.crmId, values: decision.values }
}

const keyOf = ({ externalId }: OutgoingLead): string => externalId.toLowerCase()

const unsent = (stoppedBy: AppError | null): PushOutcome =>
  stoppedBy === null ? { status: 'unknown', message: 'the lead was not sent' } : deferred(stoppedBy)
