/** `docs/quickstart.md` as its reader types it, on a fresh instance; and the examples of the reference page there. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPanjiClient, dataOf } from '../../client/index.ts'
import { exampleRecords } from '../../src/api/example-records.ts'
import { panjiHome } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { assignmentsOf, isShown, stepsOf } from '../support/typed-document.ts'

const steps = stepsOf(readFileSync(new URL('../../docs/quickstart.md', import.meta.url), 'utf8'))
const curlIsThere = spawnSync('curl', ['--version']).status === 0
if (!curlIsThere) console.log('skipped: curl not found; docs/quickstart.md is not typed')

const home = panjiHome()
let stopped: Awaited<NodeProcess['ended']>
let panji: NodeProcess
let apiUrl: string
let apiKey: string

/** A reader who presses Ctrl-C while the sample world is loaded, and starts again. */
beforeAll(async () => {
  const first = home.run('start')
  await vi.waitFor(() => expect(first.noted()).toContain('Generating snapshots'), { timeout: 100_000, interval: 20 })
  first.child.kill('SIGINT')
  stopped = await first.ended
  panji = home.run('start')
  await panji.line('Ctrl-C stops.')
  apiUrl = /API\s+(http:\S+)/.exec(panji.printed())?.[1] ?? ''
  apiKey = /panji_\w{43}/.exec(panji.printed())?.[0] ?? ''
}, 300_000)
afterAll(async () => {
  panji.child.kill('SIGINT')
  await panji.ended
  home.remove()
})

test('a first start that is stopped while it loads the sample world ends with success, and the next one goes on', () => {
  expect(stopped.code).toBe(0)
  expect(stopped.stderr).toMatch(/Stopped\.\n$/)
  expect(stopped.stderr).not.toContain('unexpected error')
  expect(panji.printed()).toContain('Ctrl-C stops.')
})

/** Where the reader finds what a line like `TOKEN=eyJ…` sets: in what `npm start` printed, or in the answer before. */
function valueFor(name: string, answer: unknown): string {
  const { token, data } = answer as { token?: { access_token: string }; data?: { id: string } }
  const sources = { API: apiUrl, KEY: apiKey, TOKEN: token?.access_token, SCREENER: data?.id, WATCHLIST: data?.id }
  const value = sources[name as keyof typeof sources]
  if (!value) throw new Error(`the answer before ${name}= has no value for it`)
  return value
}

test.skipIf(!curlIsThere)(
  'what the quickstart shows is what its commands answer',
  () => {
    const env: Record<string, string> = {}
    let answer: unknown = {}
    let compared = 0
    for (const { command, shown } of steps) {
      const names = assignmentsOf(command)
      for (const name of names) env[name] = valueFor(name, answer)
      if (names.length > 0) continue
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { env: { ...process.env, ...env }, encoding: 'utf8' })
      expect(stderr).toBe('')
      answer = JSON.parse(stdout)
      if (shown === undefined) throw new Error(`no answer is shown for ${command}`)
      if (!isShown(answer, shown)) expect(answer, command).toEqual(shown)
      compared++
    }
    expect(compared).toBe(14)
  },
  60_000,
)

test('an answer that differs from what is shown is noticed', () => {
  expect(isShown({ a: [1, 2], b: 'x y' }, '{\n  "a": [1, …],\n  "b": "x y"\n}')).toBe(true)
  expect(isShown({ a: [1, 2], b: 'x z' }, '{ "a": [1, …], "b": "x y" }')).toBe(false)
  expect(isShown({ a: [1, 2], b: 'x y', c: 1 }, '{ "a": [1, …], "b": "x y" }')).toBe(false)
})

test('the records that the examples of the reference page name are in the sample world', async () => {
  const panjiApi = createPanjiClient({ baseUrl: apiUrl, apiKey })
  const { cin, gstin, din, companyName, tradeName } = exampleRecords
  const company = await panjiApi.GET('/api/company/details', { params: { query: { cin } } })
  const registration = await panjiApi.GET('/api/gst/details', { params: { query: { gstin } } })
  const director = await panjiApi.GET('/api/company/director-details', { params: { query: { din } } })
  expect(dataOf(company).data.companyName).toBe(companyName.toUpperCase())
  expect(dataOf(registration).data.TradeName).toBe(tradeName.toUpperCase())
  expect(dataOf(director).data.DIN).toBe(din)
  const search = { type: 'company', query: "State == 'Maharashtra' AND paidUpCapital > 1000000" } as const
  expect(dataOf(await panjiApi.POST('/api/screener/search', { body: search })).total).toBeGreaterThan(0)
  const order = await panjiApi.POST('/api/crm/newlead', { body: { entity_type: 'gst', identifier: gstin } })
  expect(dataOf(order).lead).not.toBeNull()
})
