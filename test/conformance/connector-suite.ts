/**
 * The connector contract as tests. Each connector runs this suite against its own sandbox, through its real SDK:
 * `describeConnector({ connector: salesforce, createSandbox, … })` in test/conformance/<name>.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallGate, Connector, CrmSession, OutgoingLead } from '../../connectors/contract.ts'
import type { Sandbox, SandboxCall, SandboxRecord } from '../../connectors/sandbox-contract.ts'
import { type RunningSandboxes, startSandboxes } from '../../connectors/sandbox-server.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'

export interface ConnectorUnderTest {
  readonly connector: Connector
  createSandbox(): Sandbox
  /** Substring of "METHOD /path" of the call that writes a batch of leads. */
  readonly writeCall: string
  /** True for calls that change records; signing in and set-up do not. */
  isWrite(call: SandboxCall): boolean
  /** The external id of a record that stands for a lead; null for other records (associated ones). */
  externalIdOf(record: SandboxRecord): string | null
  /** Laid over the sandbox's settings: credentials that the sandbox refuses. */
  readonly wrongCredentials: Readonly<Record<string, unknown>>
  /** Laid over the sandbox's settings: a short wait for an answer. */
  readonly shortTimeout: Readonly<Record<string, unknown>>
}

const acknowledged = ['created', 'updated', 'unchanged']

export function describeConnector(subject: ConnectorUnderTest): void {
  describe(`the connector ${subject.connector.name}`, () => {
    let sandbox: Sandbox
    let server: RunningSandboxes

    beforeEach(async () => {
      sandbox = subject.createSandbox()
      server = await startSandboxes([sandbox], { port: 0 })
    })
    afterEach(async () => {
      await server.close()
    })

    function open(options: { over?: object; gate?: CallGate; signal?: AbortSignal } = {}): CrmSession {
      const settings = subject.connector.readSettings({ ...server.settings(sandbox.crm), ...options.over })
      return subject.connector.open(settings, {
        gate: options.gate ?? openGate,
        signal: options.signal ?? new AbortController().signal,
      })
    }
    /** A session on a CRM that is set up. */
    async function ready(options: Parameters<typeof open>[0] = {}): Promise<CrmSession> {
      await open().setup()
      return open(options)
    }
    const stored = (lead: OutgoingLead) =>
      sandbox.records().filter((record) => subject.externalIdOf(record) === lead.externalId)
    const writes = () => sandbox.calls().filter((call) => subject.isWrite(call))

    test('set-up makes the CRM ready and can be repeated', async () => {
      const first = await open().setup()
      expect(first.todo).toEqual([])
      const second = await open().setup()
      expect(second).toMatchObject({ created: [], todo: [] })
      expect(second.present).toEqual(expect.arrayContaining([...first.created]))
    })

    test('describe names the fields with their lengths', async () => {
      const fields = await (await ready()).describe()
      expect(fields.length).toBeGreaterThan(5)
      expect(fields.every((field) => field.name.length > 0 && field.type.length > 0)).toBe(true)
    })

    test('a lead of each kind is created, one record each', async () => {
      const leads = [gstLead(1), companyLead(1), directorLead(1)]
      const outcomes = await (await ready()).push(leads)
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['created', 'created', 'created'])
      for (const lead of leads) expect(stored(lead)).toHaveLength(1)
    })

    test('pushing twice leaves one record and says unchanged', async () => {
      const session = await ready()
      const [first] = await session.push([gstLead(1)])
      if (first?.status !== 'created') throw new Error(`expected created, got ${JSON.stringify(first)}`)
      const again = { ...gstLead(1), crmId: first.crmId, lastPushed: first.values }
      const [second] = await (await ready()).push([again])
      expect(second).toMatchObject({ status: 'unchanged', crmId: first.crmId })
      expect(stored(gstLead(1))).toHaveLength(1)
    })

    test('a changed lead updates its record', async () => {
      const session = await ready()
      const [first] = await session.push([companyLead(1)])
      if (first?.status !== 'created') throw new Error(`expected created, got ${JSON.stringify(first)}`)
      const changed = companyLead(1, { Phone: '+918323333333' })
      const [second] = await session.push([{ ...changed, crmId: first.crmId, lastPushed: first.values }])
      expect(second).toMatchObject({ status: 'updated', crmId: first.crmId })
      expect(JSON.stringify(stored(changed))).toContain('+918323333333')
    })

    test('outcomes match leads one to one, in order, and bad leads do not sink a full batch', async () => {
      const leads = Array.from({ length: subject.connector.batchSizeMax }, (_, n) =>
        gstLead(n, n % 10 === 7 ? { Email: 'no-address' } : {}),
      )
      const outcomes = await (await ready()).push(leads)
      expect(outcomes).toHaveLength(leads.length)
      leads.forEach((lead, n) => {
        const outcome = outcomes[n]
        if (n % 10 === 7) {
          expect(outcome).toMatchObject({ status: 'rejected', code: expect.stringMatching(/./) })
          expect(outcome).toMatchObject({ message: expect.stringMatching(/./) })
          expect(stored(lead)).toEqual([])
        } else {
          expect(outcome).toMatchObject({ status: 'created', crmId: stored(lead)[0]?.id })
        }
      })
    })

    test('apostrophes, quotes, backslashes and Unicode arrive unchanged', async () => {
      const name = `D'Souza & Sons "Panjim" — पंजी प्रा. लि. \\ ₹`
      const lead = gstLead(1, { Company: name, Last_Name: `O'Brien` })
      await (await ready()).push([lead])
      const values = stored(lead).flatMap((record) => Object.values(record.properties))
      expect(values).toContain(name)
      const found = await (await ready()).lookup([lead.externalId])
      expect(Object.values(found.get(lead.externalId)?.values ?? {})).toContain(name)
    })

    test('a plan writes nothing and says what a push would do', async () => {
      const session = await ready()
      await session.push([gstLead(1), gstLead(2)])
      const writesBefore = writes().length
      const actions = await session.plan([gstLead(1), gstLead(3), gstLead(4, { Email: 'no-address' })])
      expect(actions.map(({ action }) => action)).toEqual(['unchanged', 'create', 'reject'])
      expect(writes()).toHaveLength(writesBefore)
      expect(stored(gstLead(3))).toEqual([])
    })

    test('a plan before set-up is possible and changes nothing', async () => {
      const actions = await open().plan([gstLead(1), companyLead(1)])
      expect(actions.map(({ action }) => action)).toEqual(['create', 'create'])
      expect(sandbox.records()).toEqual([])
      const report = await open().setup()
      expect(report.created.length).toBeGreaterThan(0)
    })

    test('refused credentials are CRM_UNAUTHORIZED, never retried', async () => {
      const session = await ready({ over: subject.wrongCredentials })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
      expect(stored(gstLead(1))).toEqual([])
    })

    test.each(['rate_limit', 'daily_limit'] as const)('a %s asks for a later try and writes nothing', async (kind) => {
      const session = await ready()
      sandbox.addFault({ kind, times: 1000 })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({
        code: 'CRM_UNAVAILABLE',
        retry: { afterMs: expect.any(Number) },
      })
      expect(stored(gstLead(1))).toEqual([])
    })

    test('an abort stops a call that hangs', async () => {
      await open().setup()
      sandbox.addFault({ kind: 'timeout', times: 1000 })
      const controller = new AbortController()
      const gate: CallGate = { ...openGate, take: async () => void setImmediate(() => controller.abort()) }
      await expect(open({ gate, signal: controller.signal }).push([gstLead(1)])).rejects.toThrow()
      expect(stored(gstLead(1))).toEqual([])
    })

    test('a lead that the reply omits is unknown, and a lookup settles it', async () => {
      const session = await ready()
      sandbox.addFault({ kind: 'omit_rows', match: subject.writeCall, times: 1 })
      const leads = [gstLead(1), gstLead(2), gstLead(3)]
      const outcomes = await session.push(leads)
      expect(outcomes).toHaveLength(3)
      const unknown = leads.filter((_, n) => outcomes[n]?.status === 'unknown')
      expect(unknown.length).toBeGreaterThan(0)
      expect(outcomes.every(({ status }) => status === 'unknown' || acknowledged.includes(status))).toBe(true)
      const found = await session.lookup(leads.map((lead) => lead.externalId))
      for (const lead of unknown) expect(found.get(lead.externalId)?.crmId).toBe(stored(lead)[0]?.id)
    })

    test.each(['reset_after_commit', 'timeout_after_commit'] as const)(
      'after a %s the lead is unknown, and pushing again leaves one record',
      async (kind) => {
        const session = await ready({ over: subject.shortTimeout })
        sandbox.addFault({ kind, match: subject.writeCall, times: 1 })
        const [lost] = await session.push([gstLead(1)])
        expect(lost).toMatchObject({ status: 'unknown' })
        expect(stored(gstLead(1))).toHaveLength(1)
        const [again] = await session.push([gstLead(1)])
        expect(acknowledged).toContain(again?.status)
        expect(stored(gstLead(1))).toHaveLength(1)
      },
    )

    test('a lookup leaves out what the CRM does not hold, and erasing removes what it does', async () => {
      const session = await ready()
      await session.push([gstLead(1), gstLead(2)])
      const ids = [gstLead(1), gstLead(2), gstLead(3)].map((lead) => lead.externalId)
      expect([...(await session.lookup(ids)).keys()].sort()).toEqual(ids.slice(0, 2))
      expect(await session.erase(ids)).toBe(2)
      expect((await session.lookup(ids)).size).toBe(0)
    })

    test('every call to the CRM asks the gate first', async () => {
      let taken = 0
      const gate: CallGate = {
        ...openGate,
        take: async (calls) => {
          taken += calls
        },
      }
      await open().setup()
      const callsBefore = sandbox.calls().length
      await open({ gate }).push([gstLead(1)])
      expect(taken).toBe(sandbox.calls().length - callsBefore)
    })

    test('settings that are no settings are DESTINATION_INVALID, and no secret is repeated', () => {
      for (const input of [null, 7, {}, { ...server.settings(sandbox.crm), surprise: 's3cret-value' }]) {
        const reading = () => subject.connector.readSettings(input)
        expect(reading).toThrow(expect.objectContaining({ code: 'DESTINATION_INVALID' }))
        expect(reading).not.toThrow(/s3cret-value/)
      }
    })
  })
}

const openGate: CallGate = { take: async () => {}, observe: () => {} }
