/**
 * A sales team and the administrators of its CRM at work while orders are delivered: after each step and at the end the CRM holds of each
 * lead one record or, where somebody deleted it, none, what a rep wrote stands, all else is as it was ordered last, and nothing of the
 * customer's own was touched. A failure names its seed and tells the steps; `PANJI_LIFE=17` lives that one alone.
 */
import { beforeEach, expect, test } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Sandbox, SandboxFault, SandboxRecord } from '../../../sandboxes/contract.ts'
import type { HubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import type { SalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import type { ZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import type { ConnectorUnderTest } from '../../conformance/promises/world.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { hubspotSubject, salesforceSubject, zohoSubject } from '../../conformance/subjects.ts'
import { type Draw, drawOf } from '../../support/draw.ts'
import { figure } from '../../support/figures.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db
beforeEach(() => world.stopWorker())

/** What differs between the CRMs. */
interface Ways {
  readonly subject: ConnectorUnderTest
  readonly identity: string
  readonly city: string
  /** Locks a record; returns the end of it. Undefined where the CRM locks none. */
  lock?(box: Sandbox, id: string): () => void
  /** The credentials change, and what the settings say then. */
  renew?(box: Sandbox): void
  /** A field that is required from now on. */
  readonly required?: string
  undelete?(box: Sandbox, id: string): void
}

const submit = (box: Sandbox, id: string) => {
  const org = box as SalesforceSandbox | ZohoSandbox
  org.submit(id)
  return () => org.decide(id)
}
const crms: readonly Ways[] = [
  {
    ...{ subject: salesforceSubject, identity: 'Panji_Id__c', city: 'City', lock: submit, required: 'AnnualRevenue' },
    undelete: (box, id) => (box as SalesforceSandbox).undelete(id),
  },
  {
    ...{ subject: hubspotSubject, identity: 'panji_id', city: 'city' },
    renew: (box) => (box as HubspotSandbox).rotateToken(),
  },
  {
    ...{ subject: zohoSubject, identity: 'Panji_Id', city: 'City', lock: submit, required: 'Annual_Revenue' },
    renew: (box) => (box as ZohoSandbox).revoke(),
  },
]

const faults: readonly SandboxFault['kind'][] = [
  ...(['reset', 'reset_after_commit', 'reset_after_commit', 'omit_rows', 'omit_first_row', 'shuffle_rows'] as const),
  ...(['rate_limit', 'daily_limit', 'expire_token', 'duplicate', 'status'] as const),
]

const leadOf = [gstLead, directorLead, companyLead]
const people = Array.from({ length: 7 }, (_, n) => (cells: Readonly<Record<string, string>>) => {
  const make = leadOf[n % 3] ?? gstLead
  return make(n + 1, { ...cells, DirectorDINs: '' })
})

const personless = (cells: Readonly<Record<string, string>>) => gstLead(99, cells)

/** What ought to stand of one lead. */
interface Expected {
  ordered: string | null
  edited: string | null
  gone: string | null
  readonly orders: string[]
}

class Life {
  readonly steps: string[] = []
  readonly #ways: Ways
  readonly #draw: Draw
  readonly #destinationId: string
  readonly #expected: Expected[] = people.map(() => ({ ordered: null, edited: null, gone: null, orders: [] }))
  readonly #ends = new Map<string, () => void | Promise<void>>()
  readonly #foreign: readonly SandboxRecord[]
  #count = 0

  private constructor(ways: Ways, draw: Draw, destinationId: string, foreign: readonly SandboxRecord[]) {
    this.#ways = ways
    this.#draw = draw
    this.#destinationId = destinationId
    this.#foreign = foreign
  }

  static async begin(ways: Ways, seed: number): Promise<Life> {
    const destinationId = await world.addDestination(ways.subject.connector.name, { timeout_ms: 2_000 }, `Life ${seed}`)
    await updateDestination(world.parts(), destinationId, { askFrom: null })
    expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
    const row = await readDestination(db(), destinationId)
    const { session } = openDestination(world.parts(), row, signal)
    const box = world.box(ways.subject.connector.name)
    // Somebody else's, which look like the first two leads.
    for (const outcome of await session.push([gstLead(1), directorLead(2)]))
      box.edit('crmId' in outcome ? outcome.crmId : '', { [ways.identity]: '' })
    return new Life(ways, drawOf(seed), destinationId, structuredClone(box.records()))
  }

  get box(): Sandbox {
    return world.box(this.#ways.subject.connector.name)
  }

  #lead = (n: number, city: string): OutgoingLead =>
    (people[n] ?? personless)({ City: city, Email: `p${n}@life.example.in` })
  #of = (n: number) => this.#expected[n] as Expected
  #stored = (n: number) =>
    this.box.records().filter(({ properties }) => properties[this.#ways.identity] === this.#lead(n, '').externalId)

  /** The record of a lead that the ledger knows. */
  async #known(n: number): Promise<string | null> {
    const [row] = await db().query<{ id: string }>(
      `SELECT crm_id AS id FROM deliver.record WHERE destination_id = $1 AND external_id = $2 AND crm_id IS NOT NULL
         AND state = 'acknowledged'`,
      [this.#destinationId, this.#lead(n, '').externalId],
    )
    return row !== undefined && this.box.records().some(({ id }) => id === row.id) ? row.id : null
  }

  async #work(): Promise<void> {
    await world.endWaits()
    await reconcile(world.parts(), this.#destinationId, signal)
  }

  readonly #acts: Readonly<Record<string, () => Promise<string>>> = {
    order: async () => {
      const chosen = people.flatMap((_, n) => (this.#draw.oneIn(3) ? [n] : []))
      if (chosen.length === 0) return 'nobody'
      this.#count += 1
      const city = `Town ${this.#count}`
      const orderId = await world.order(chosen.map((n) => this.#lead(n, city)))
      for (const n of chosen) {
        this.#of(n).ordered = city
        this.#of(n).orders.push(orderId)
      }
      await world.push(orderId, this.#destinationId)
      if (!this.#draw.oneIn(4)) await this.#work()
      return `${chosen} into ${city}`
    },
    work: async () => {
      await this.#work()
      return ''
    },
    edit: async () => {
      const n = this.#draw.below(people.length)
      const id = await this.#known(n)
      if (id === null) return 'nobody'
      this.#count += 1
      this.#of(n).edited = this.#draw.oneIn(4) ? '' : `Rep ${this.#count}`
      this.box.edit(id, { [this.#ways.city]: this.#of(n).edited ?? '' })
      return `${n} to ${this.#of(n).edited}`
    },
    lose: async () => {
      const n = this.#draw.below(people.length)
      const id = await this.#known(n)
      if (id === null) return 'nobody'
      this.box.edit(id, { [this.#ways.identity]: '' })
      return `${n}`
    },
    remove: async () => {
      const n = this.#draw.below(people.length)
      const id = await this.#known(n)
      if (id === null) return 'nobody'
      this.box.remove?.(id)
      this.#of(n).gone = id
      return `${n}`
    },
    undelete: async () => {
      const n = this.#draw.below(people.length)
      const { gone } = this.#of(n)
      if (gone === null || this.#ways.undelete === undefined) return 'nobody'
      this.#ways.undelete(this.box, gone)
      this.#of(n).gone = null
      return `${n}`
    },
    again: async () => {
      const n = this.#draw.below(people.length)
      if (this.#of(n).gone === null) return 'nobody'
      await db().transaction((tx) =>
        resendWithin(tx, world.queue(), { destinationId: this.#destinationId, record: this.#lead(n, '').externalId }),
      )
      Object.assign(this.#of(n), { gone: null, edited: null })
      await this.#work()
      return `${n}`
    },
    retry: async () => {
      await db().transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId: this.#destinationId }))
      await this.#work()
      return ''
    },
    resend: async () => {
      await db().transaction((tx) => resendWithin(tx, world.queue(), { destinationId: this.#destinationId }))
      await this.#work()
      return ''
    },
    lock: async () => {
      const n = this.#draw.below(people.length)
      const id = await this.#known(n)
      if (id === null || this.#ways.lock === undefined) return 'nobody'
      this.#ends.set(`lock ${id}`, this.#ways.lock(this.box, id))
      return `${n}`
    },
    fault: async () => {
      const kind = this.#draw.of(faults) ?? 'reset'
      const match = this.#draw.oneIn(3) ? undefined : this.#ways.subject.writeCall
      const fault = {
        kind,
        times: 1 + this.#draw.below(2),
        ...(match && { match }),
        ...(kind === 'status' && { status: 502 }),
      }
      this.box.addFault(fault)
      return JSON.stringify(fault)
    },
    hide: async () => {
      const change = this.#draw.of([{ writable: false }, { visible: false }] as const)
      if (this.#ends.has('hide') || change === undefined) return 'not'
      if ('visible' in change && this.#ways.subject === hubspotSubject) return 'not'
      this.box.changeField?.(this.#ways.city, change)
      this.#ends.set('hide', () => this.box.changeField?.(this.#ways.city, { writable: true, visible: true }))
      return JSON.stringify(change)
    },
    require: async () => {
      const { required } = this.#ways
      if (required === undefined) return 'not'
      this.box.changeField?.(required, { required: true })
      this.#ends.set('require', () => this.box.changeField?.(required, { required: false }))
      return required
    },
    fill: async () => {
      const end = this.#ways.subject.noRoom?.fill(this.box)
      if (end !== undefined) this.#ends.set('fill', end)
      return ''
    },
    renew: async () => {
      if (this.#ways.renew === undefined) return 'not'
      this.#ways.renew(this.box)
      this.#ends.set('renew', async () => {
        const settings = { ...world.settings(this.#ways.subject.connector.name), timeout_ms: 2_000 }
        await updateDestination(world.parts(), this.#destinationId, { settings })
      })
      return ''
    },
    end: async () => {
      const name = this.#draw.of([...this.#ends.keys()])
      if (name === undefined) return 'nothing'
      await this.#ends.get(name)?.()
      this.#ends.delete(name)
      return name
    },
  }

  async step(): Promise<void> {
    const names = [...Object.keys(this.#acts), 'order', 'order', 'order', 'edit', 'end', 'fault']
    const name = this.#draw.of(names) ?? 'work'
    this.steps.push(`${name} ${await this.#acts[name]?.()}`)
    this.#holds()
  }

  /** What is never otherwise. */
  #holds(): void {
    const records = this.box.records()
    for (const held of this.#foreign) expect(records.find(({ id }) => id === held.id)).toEqual(held)
    const named = records.flatMap(({ properties }) => properties[this.#ways.identity] ?? [])
    expect(new Set(named).size).toBe(named.length)
    for (const [n, { gone }] of this.#expected.entries()) if (gone !== null) expect(this.#stored(n)).toEqual([])
  }

  async rest(): Promise<void> {
    for (const end of this.#ends.values()) await end()
    this.box.endFaults?.()
    expect(await testDestination(world.parts(), this.#destinationId, signal)).toMatchObject({ ok: true })
    const again = async () => {
      await db().transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId: this.#destinationId }))
      await db().transaction((tx) => resendWithin(tx, world.queue(), { destinationId: this.#destinationId }))
      for (let round = 0; round < 4; round += 1) {
        await this.#work()
        // What was sent and never answered is looked at again once the CRM must be done with it.
        await db().execute(
          `UPDATE deliver.record SET acknowledged_at = acknowledged_at - interval '1 hour'
           WHERE destination_id = $1 AND unconfirmed IS NOT NULL`,
          [this.#destinationId],
        )
      }
    }
    await again()
    this.#holds()
    const there = this.#expected.flatMap(({ ordered, gone }, n) => (ordered !== null && gone === null ? [n] : []))
    for (const n of there) {
      const { edited, ordered } = this.#of(n)
      expect(
        this.#stored(n).map(({ properties }) => properties[this.#ways.city] ?? ''),
        `of ${n}`,
      ).toEqual([edited ?? ordered])
    }
    expect(this.box.records()).toHaveLength(this.#foreign.length + there.length)
    const left = await db().query(
      `SELECT external_id, state, unconfirmed, last_error, outcome, next_attempt_at, attempts FROM deliver.record WHERE destination_id = $1
         AND (state NOT IN ('acknowledged', 'rejected') OR unconfirmed IS NOT NULL)`,
      [this.#destinationId],
    )
    expect(left).toEqual([])
    // What stands is written no more.
    const before = structuredClone(this.box.records())
    const calls = this.box.calls().filter(this.#ways.subject.isWrite).length
    await again()
    expect(this.box.records()).toEqual(before)
    expect(this.box.calls().filter(this.#ways.subject.isWrite).length).toBe(calls)
  }
}

const [first, last] = (process.env['PANJI_LIFE'] ?? `1-${figure(2, 40)}`).split('-').map(Number)
const from = first ?? 1
const seeds = Array.from({ length: (last ?? from) - from + 1 }, (_, at) => from + at)
const length = Number(process.env['PANJI_LIFE_STEPS'] ?? 40)

test.each(crms.flatMap((ways) => seeds.map((seed) => [ways.subject.connector.name, seed, ways] as const)))(
  '%s: whatever people do in the CRM and to the network, each lead stands there once, with what was ordered last or a rep wrote (life %i)',
  { timeout: 300_000 },
  async (_crm, seed, ways) => {
    const life = await Life.begin(ways, seed)
    try {
      for (let step = 0; step < length; step += 1) await life.step()
      await life.rest()
    } catch (error) {
      throw new Error(`life ${seed}:\n${life.steps.join('\n')}`, { cause: error })
    }
  },
)
