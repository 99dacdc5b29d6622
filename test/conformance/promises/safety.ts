/** Promises about settings, secrets and addresses: what a connector reads, shows, and where it may go. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { expect, vi } from 'vitest'
import { gstLead } from '../sample-leads.ts'
import { acknowledged, type ConnectorPromise, type World } from './world.ts'

const secretName = /secret|token|password|private_key|pass$/i

function secretsOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    secretName.test(name) && typeof value === 'string' ? [value] : [],
  )
}

const strangeAddresses = [
  'https://crm.example.com',
  'http://login.salesforce.com',
  'http://api.hubapi.com',
  'http://accounts.zoho.in',
  'https://accounts.zoho.in.example.com',
  'https://accounts.zoho.com@crm.example.com',
  'http://127.0.0.1:9',
  'http://localhost:9',
  'https://169.254.169.254/latest',
  'https://[::1]',
  'https://login.salesforce.com.example.com',
  'https://api.hubapi.com@crm.example.com',
  'ftp://login.salesforce.com',
  'no address',
]

/** Everything that is printed meanwhile. */
async function printedDuring(work: () => Promise<void>): Promise<string> {
  const printed: string[] = []
  const keep = (...parts: unknown[]) => void printed.push(parts.map((part) => inspect(part, { depth: 8 })).join(' '))
  const spies = [
    ...(['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(keep),
    ),
    ...[process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed.push(String(text))
        return true
      }),
    ),
  ]
  try {
    await work()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return printed.join('\n')
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => '',
    (error: unknown) => inspect(error, { depth: 8 }),
  )
}

/** Sends the write call elsewhere by a redirect. @returns how many calls the other host heard. */
async function heardElsewhere(world: World, status: number): Promise<number> {
  let heard = 0
  const elsewhere = createServer((request, response) => {
    heard += 1
    request.resume()
    response.end('[]')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo
  try {
    const session = await world.ready()
    const headers = { location: `http://127.0.0.1:${port}/` }
    world.sandbox.addFault({ kind: 'status', status, headers, match: world.subject.writeCall, times: 1 })
    const outcomes = await session.push([gstLead(1)]).catch(() => [])
    for (const outcome of outcomes) expect(acknowledged).not.toContain(outcome.status)
    return heard
  } finally {
    elsewhere.closeAllConnections()
    await new Promise((resolve) => elsewhere.close(resolve))
  }
}

export const safetyPromises: readonly ConnectorPromise[] = [
  {
    title: 'settings that are no settings are DESTINATION_INVALID, each fault is listed, and no value is repeated',
    async prove(world) {
      const { connector } = world.subject
      for (const input of [null, 7, 'text', [], {}, { ...world.settings, surprise: 's3cret-value' }]) {
        let thrown: unknown
        try {
          connector.readSettings(input)
        } catch (error) {
          thrown = error
        }
        expect(thrown).toMatchObject({ code: 'DESTINATION_INVALID', extra: { faults: expect.any(Array) } })
        expect((thrown as { extra: { faults: unknown[] } }).extra.faults.length).toBeGreaterThan(0)
        const told = inspect(thrown, { depth: 8 })
        for (const secret of ['s3cret-value', ...secretsOf(world.settings)]) expect(told).not.toContain(secret)
      }
    },
  },
  {
    title: 'settings that were stored read the same again',
    async prove(world) {
      const { connector } = world.subject
      const settings = connector.readSettings(world.settings)
      const stored: unknown = JSON.parse(JSON.stringify(settings.values))
      expect(connector.readSettings(stored)).toEqual(settings)
      expect(settings.remoteAccount.length).toBeGreaterThan(connector.name.length)
      const outcomes = await (await world.ready({ settings: stored as Record<string, unknown> })).push([gstLead(1)])
      expect(outcomes[0]?.status).toBe('created')
    },
  },
  {
    title: 'each member of the settings that is a secret is named as one',
    async prove(world) {
      for (const input of [world.settings, world.renewableSettings]) {
        const { values, secretNames } = world.subject.connector.readSettings(input)
        const owed = Object.keys(values).filter((name) => secretName.test(name) && typeof values[name] === 'string')
        expect(secretNames).toEqual(expect.arrayContaining(owed))
        expect(owed.length).toBeGreaterThan(0)
      }
    },
  },
  {
    title: 'no secret is printed, nor told by an error',
    ofServers: true,
    async prove(world) {
      const told: string[] = []
      const printed = await printedDuring(async () => {
        const session = await world.ready()
        await session.push([gstLead(1), gstLead(2, { Email: 'no-address' })])
        told.push(await failureOf(world.open({ over: world.subject.wrongCredentials }).push([gstLead(3)])))
        world.sandbox.addFault({ kind: 'daily_limit', times: 1000 })
        told.push(await failureOf(world.open().push([gstLead(3)])))
      })
      expect(told.every((text) => text.length > 0)).toBe(true)
      for (const secret of [...secretsOf(world.settings), ...secretsOf(world.subject.wrongCredentials)]) {
        expect(printed).not.toContain(secret)
        for (const text of told) expect(text).not.toContain(secret)
      }
    },
  },
  {
    title: 'no lead is printed',
    async prove(world) {
      const leads = [gstLead(1), gstLead(2, { Email: 'no-address' })]
      const printed = await printedDuring(async () => {
        const session = await world.ready()
        await session.push(leads)
        world.sandbox.addFault({ kind: 'reset_after_commit', match: world.subject.writeCall, times: 1 })
        await session.push([gstLead(3)])
      })
      for (const cell of ['Naik', 'no-address', String(gstLead(1).row['Email'])]) expect(printed).not.toContain(cell)
    },
  },
  {
    title: 'an address that is not the vendor’s is refused before anything is sent to it',
    ofServers: true,
    async prove(world) {
      const { addressMember, connector } = world.subject
      for (const address of strangeAddresses) {
        const { sandbox_pass: _pass, ...settings } = world.settings
        for (const input of [settings, world.settings]) {
          const reading = () => connector.readSettings({ ...input, [addressMember]: address })
          if (address.startsWith('http://127') && 'sandbox_pass' in input) continue
          expect(reading, address).toThrow(expect.objectContaining({ code: 'DESTINATION_INVALID' }))
        }
      }
    },
  },
  {
    title: 'a redirect is not followed, and acknowledges nothing',
    ofServers: true,
    async prove(world) {
      for (const status of [301, 302, 307, 308]) {
        expect(await heardElsewhere(world, status)).toBe(0)
        expect(world.sandbox.records()).toEqual([])
      }
    },
  },
  {
    title: 'whose account it is, the CRM says, and says the same in every conversation',
    async prove(world) {
      const first = await world.open().identify()
      expect(first).toEqual(await world.open().identify())
      expect(first.account).toBe(world.subject.account)
      for (const url of Object.values(first.recordUrls)) expect(url).toContain('{id}')
    },
  },
]
