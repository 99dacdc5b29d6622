/** What the first page says needs somebody although no condition tells it yet. */
import { expect, test } from 'vitest'

/** Pages have types of their own, so the file is loaded by its address. */
const page = new URL('../../../web/src/console/pending-conditions.ts', import.meta.url).href
const { pendingConditions } = (await import(page)) as { pendingConditions(overview: object): string[] }
const source = { source: 'nic', waiting_runs: [], last_status: 'succeeded' }
const calm = {
  ...{ conditions: [], worker: { running: true }, sources: [source], dead_letters: 0 },
  ...{ broken_destinations: [], keys: { secret_key_ok: true } },
}
const said = (change: object) => pendingConditions({ ...calm, ...change })

test('a calm instance needs nobody', () => {
  expect(said({})).toEqual([])
})

test.each([
  ['1 import needs approval.', { sources: [{ ...source, waiting_runs: [7] }] }],
  ['2 sources failed on their last import.', { sources: [1, 2].map(() => ({ ...source, last_status: 'failed' })) }],
  ['3 jobs failed for good.', { dead_letters: 3 }],
  ['1 CRM is broken.', { broken_destinations: [{}] }],
  ['No worker is online, so nothing is found and nobody is notified.', { worker: { running: false } }],
  ['The secret key does not match.', { keys: { secret_key_ok: false } }],
])('is said before a worker finds it: %s', (sentence, change) => {
  expect(said(change)).toEqual([sentence])
})

test('a problem that a condition reports is not shown twice', () => {
  const conditions = [{ type: 'import.needs_approval' }, { type: 'jobs.dead' }]
  expect(said({ conditions, sources: [{ ...source, waiting_runs: [7] }], dead_letters: 1 })).toEqual([])
})
