/** Promises about calls that fail: what may have been written is never guessed, and what passes by is tried again. */
import { expect } from 'vitest'
import type { CallGate } from '../../../connectors/call-gate.ts'
import { type CrmSession, type OutgoingLead, waitMsMax } from '../../../connectors/contract.ts'
import { AppError } from '../../../src/errors.ts'
import { companyLead, directorLead, gstLead } from '../sample-leads.ts'
import { acknowledged, type ConnectorPromise, openGate, type World } from './world.ts'

const limitPromise = (kind: 'rate_limit' | 'daily_limit'): ConnectorPromise => ({
  title: `a ${kind} asks for a later try, tells the gate, writes nothing and is not knocked at again`,
  ofServers: true,
  async prove(world) {
    const blocked: number[] = []
    const gate: CallGate = { ...openGate, observe: ({ blockedForMs = 0 }) => void blocked.push(blockedForMs) }
    const session = await world.ready({ gate })
    world.sandbox.addFault({ kind, times: 1000 })
    const callsBefore = world.sandbox.calls().length
    await expect(session.push([gstLead(1)])).rejects.toMatchObject({
      code: 'CRM_UNAVAILABLE',
      retry: { afterMs: expect.any(Number) },
    })
    expect(Math.max(...blocked)).toBeGreaterThan(0)
    // Signing in, and the call that heard of the limit.
    expect(world.sandbox.calls().length - callsBefore).toBeLessThanOrEqual(2)
    expect(world.stored(gstLead(1))).toEqual([])
  },
})

const lostAnswerPromise = (kind: 'reset_after_commit' | 'timeout_after_commit'): ConnectorPromise => ({
  title: `after a ${kind} the lead is unknown, is not sent again automatically, and pushing again leaves one record`,
  ofServers: true,
  async prove(world) {
    const session = await world.ready({ over: world.subject.shortTimeout })
    world.sandbox.addFault({ kind, match: world.subject.writeCall, times: 1 })
    const writesBefore = world.writes().length
    const [lost] = await session.push([gstLead(1)])
    expect(lost).toMatchObject({ status: 'unknown' })
    expect(world.writes()).toHaveLength(writesBefore + 1)
    expect(world.stored(gstLead(1))).toHaveLength(1)
    const [again] = await session.push([gstLead(1)])
    expect(acknowledged).toContain(again?.status)
    expect(world.stored(gstLead(1))).toHaveLength(1)
  },
})

/** Each lead is written, unknown or deferred after the first push, and written after the second. */
async function pushedTwice(world: World, session: CrmSession, leads: readonly OutgoingLead[]): Promise<void> {
  const first = await session.push(leads)
  expect(first.map(({ status }) => status).filter((status) => status === 'rejected')).toEqual([])
  const second = await session.push(leads)
  for (const [n, lead] of leads.entries()) {
    expect(acknowledged).toContain(second[n]?.status)
    expect(world.stored(lead)).toHaveLength(1)
  }
}

/** What a push may end in when the CRM asks to come later: it throws, or it puts each lead off. */
async function deferredMs(world: World, status: number): Promise<readonly number[]> {
  const waits: number[] = []
  const gate: CallGate = { ...openGate, observe: ({ blockedForMs = 0 }) => void waits.push(blockedForMs) }
  const session = await world.ready({ gate })
  const headers = { 'retry-after': '999999999' }
  const match = world.subject.openingCall ?? world.subject.writeCall
  world.sandbox.addFault({ kind: 'status', status, headers, match, times: 1000 })
  const ended = await session.push([gstLead(1)]).catch((error: unknown) => error)
  if (ended instanceof AppError) {
    expect(ended.code).toBe('CRM_UNAVAILABLE')
    expect(ended.retry).not.toBe('never')
    if (typeof ended.retry === 'object') waits.push(ended.retry.afterMs)
  } else {
    expect(ended).toMatchObject([{ status: 'deferred', afterMs: expect.any(Number) }])
    waits.push((ended as { afterMs: number }[])[0]?.afterMs ?? 0)
  }
  return waits
}

export const failurePromises: readonly ConnectorPromise[] = [
  {
    title: 'a write that a proxy brings twice leaves one record per lead, and refuses none',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      // Read, then created unread, then changed.
      for (const leads of [
        [gstLead(0)],
        [gstLead(1), companyLead(1), directorLead(1)],
        [gstLead(1, { City: 'Mapusa' })],
      ]) {
        world.sandbox.addFault({ kind: 'duplicate', match: world.subject.writeCall, times: 2 })
        await pushedTwice(world, session, leads)
        world.sandbox.endFaults?.()
      }
    },
  },
  {
    title: 'refused credentials are CRM_UNAUTHORIZED, never retried',
    ofServers: true,
    async prove(world) {
      const session = await world.ready({ over: world.subject.wrongCredentials })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
      expect(world.stored(gstLead(1))).toEqual([])
    },
  },
  {
    title: 'access that expires is renewed within the push, and no lead notices',
    ofServers: true,
    ofRenewals: true,
    async prove(world) {
      await world.open().setup()
      const session = world.open({ settings: world.renewableSettings })
      await session.push([gstLead(1)])
      world.sandbox.addFault({ kind: 'expire_token', times: 1 })
      const [outcome] = await session.push([gstLead(2)])
      expect(world.sandbox.calls().some(({ status }) => status === 401)).toBe(true)
      expect(outcome).toMatchObject({ status: 'created' })
    },
  },
  {
    title: 'access that is refused again after its renewal ends the push as CRM_UNAUTHORIZED, at the second call',
    ofServers: true,
    ofRenewals: true,
    async prove(world) {
      await world.open().setup()
      const session = world.open({ settings: world.renewableSettings })
      const match = world.subject.openingCall ?? world.subject.writeCall
      world.sandbox.addFault({ kind: 'expire_token', match, times: 1000 })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
      expect(world.sandbox.calls().filter(({ status }) => status === 401)).toHaveLength(2)
      expect(world.stored(gstLead(1))).toEqual([])
    },
  },
  limitPromise('rate_limit'),
  limitPromise('daily_limit'),
  {
    title: 'a CRM that is too busy is tried later, and no header makes that later than an hour',
    ofServers: true,
    async prove(world) {
      for (const status of [503, 429]) {
        for (const wait of await deferredMs(world, status)) expect(wait).toBeLessThanOrEqual(waitMsMax)
        world.sandbox.reset()
      }
      expect(world.sandbox.records()).toEqual([])
    },
  },
  {
    title: 'an abort stops a call that hangs at once, and no call is sent after it',
    ofServers: true,
    async prove(world) {
      await world.open().setup()
      world.sandbox.addFault({ kind: 'timeout', times: 1000 })
      const controller = new AbortController()
      const gate: CallGate = { ...openGate, take: async () => void setImmediate(() => controller.abort()) }
      const push = world.open({ gate, signal: controller.signal }).push([gstLead(1)])
      push.catch(() => {})
      const slow = Symbol('slow')
      const ended = await Promise.race([push.catch((error: unknown) => error), passed(1_000, slow)])
      expect(ended).not.toBe(slow)
      await expect(push).rejects.toThrow()
      const callsBefore = world.sandbox.calls().length
      await expect(world.open({ signal: AbortSignal.abort() }).push([gstLead(1)])).rejects.toThrow()
      expect(world.sandbox.calls()).toHaveLength(callsBefore)
      expect(world.stored(gstLead(1))).toEqual([])
    },
  },
  {
    title: 'an abort stops a sign-in that hangs, too',
    ofServers: true,
    ofRenewals: true,
    async prove(world) {
      const settings = world.renewableSettings
      world.sandbox.addFault({ kind: 'timeout', times: 1000 })
      const controller = new AbortController()
      const gate: CallGate = { ...openGate, take: async () => void setImmediate(() => controller.abort()) }
      const push = world.open({ settings, gate, signal: controller.signal }).push([gstLead(1)])
      const slow = Symbol('slow')
      const ended = await Promise.race([push.catch((error: unknown) => error), passed(1_000, slow)])
      expect(ended).not.toBe(slow)
      await expect(push).rejects.toThrow()
    },
  },
  {
    title: 'a lead that the reply omits is unknown, and a lookup settles it',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      const match = world.subject.reportingCall ?? world.subject.writeCall
      world.sandbox.addFault({ kind: 'omit_rows', match, times: 1 })
      const leads = [gstLead(1), gstLead(2), gstLead(3)]
      const outcomes = await session.push(leads)
      expect(outcomes).toHaveLength(3)
      const unknown = leads.filter((_, n) => outcomes[n]?.status === 'unknown')
      expect(unknown.length).toBeGreaterThan(0)
      expect(outcomes.every(({ status }) => status === 'unknown' || acknowledged.includes(status))).toBe(true)
      const found = await session.lookup(leads.map((lead) => lead.externalId))
      for (const lead of unknown) expect(found.get(lead.externalId)?.crmId).toBe(world.stored(lead)[0]?.id)
    },
  },
  lostAnswerPromise('reset_after_commit'),
  lostAnswerPromise('timeout_after_commit'),
  {
    title: 'a failure of a server or a gateway is never final: the lead is unknown',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      for (const status of [500, 502, 504, 520]) {
        world.sandbox.addFault({
          kind: 'status',
          status,
          body: 'Bad gateway',
          match: world.subject.writeCall,
          times: 1,
        })
        expect(await session.push([gstLead(1), gstLead(2)])).toMatchObject([
          { status: 'unknown' },
          { status: 'unknown' },
        ])
      }
      expect((await session.push([gstLead(1)]))[0]?.status).toBe('created')
    },
  },
  {
    title: 'a success that says nothing of the leads acknowledges none',
    ofServers: true,
    async prove(world) {
      const session = await world.ready()
      const match = world.subject.reportingCall ?? world.subject.writeCall
      const bodies = [[], {}, null, 'All is well', { results: [] }, [{}, {}], [null, null]]
      for (const [n, body] of bodies.entries()) {
        world.sandbox.addFault({ kind: 'status', status: 200, body, match, times: 1 })
        const outcomes = await session.push([gstLead(2 * n), gstLead(2 * n + 1)])
        expect(outcomes).toMatchObject([{ status: 'unknown' }, { status: 'unknown' }])
      }
    },
  },
  {
    title: 'every call to the CRM asks the gate first',
    async prove(world) {
      await world.open().setup()
      const callsBefore = world.sandbox.calls().length
      let taken = 0
      let late = 0
      const gate: CallGate = {
        ...openGate,
        take: async (calls) => {
          if (world.sandbox.calls().length - callsBefore > taken) late += 1
          taken += calls
        },
      }
      await world.open({ gate }).push([gstLead(1)])
      expect(late).toBe(0)
      expect(taken).toBe(world.sandbox.calls().length - callsBefore)
      expect(taken).toBeGreaterThan(0)
    },
  },
  {
    title: 'at whichever call the gate shuts, what is thrown means nothing was written, and what was written is told',
    async prove(world) {
      const leads = [gstLead(1), companyLead(1), directorLead(1)]
      for (let open = 0; ; open += 1) {
        await world.open().setup()
        let left = open
        const callsBefore = world.sandbox.calls().length
        const gate: CallGate = { ...openGate, take: async () => shutAfter(left--) }
        const session = world.open({ gate })
        let outcomes: Awaited<ReturnType<typeof session.push>> | null = null
        try {
          outcomes = await session.push(leads)
        } catch (error) {
          expect(error).toMatchObject({ code: 'CRM_UNAVAILABLE', retry: { afterMs: 60_000 } })
          for (const lead of leads) expect(world.stored(lead)).toEqual([])
        }
        expect(world.sandbox.calls().length - callsBefore).toBeLessThanOrEqual(open)
        leads.forEach((lead, n) => {
          if (outcomes === null) return
          const isStored = world.stored(lead).length > 0
          expect(isStored ? [...acknowledged, 'unknown'] : ['deferred', 'unknown']).toContain(outcomes[n]?.status)
        })
        world.sandbox.reset()
        if (left >= 0 && outcomes !== null) return
        expect(open).toBeLessThan(20)
      }
    },
  },
]

function shutAfter(left: number): void {
  if (left > 0) return
  throw new AppError('CRM_UNAVAILABLE', 'The quota of the day is used up', { retry: { afterMs: 60_000 } })
}

function passed<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value).unref())
}
