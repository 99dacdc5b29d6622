/**
 * What the console costs. First the API: details a second with and without operators who watch the health page, ten
 * times as many operators as `--operators` says, so that the effect exceeds the noise; a tenth of it is theirs. Then
 * the browser: how long until the first page is usable at a quarter of the processor's speed, and the size of its
 * script. Prints one JSON document.
 *
 * npm run bench -- console [--operators 10] [--seconds 3] [--rounds 7] [--connections 16] [--companies 20000]
 * [--database FOLDER]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startConsole } from '../test/support/console-instance.ts'
import { withBenchDatabase } from './bench-database.ts'
import { runLoad } from './http-load.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    operators: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '16' },
    ...registerOptions({ companies: 20_000, gst: 0, directors: 0 }),
  },
})
const operators = Number(options.operators)
const seconds = Number(options.seconds)
const moreBy = 10
/** The same requests as web/src/console/health.tsx. */
const everyMs = 10_000
const asked = ['/admin/overview', '/readyz'] as const
const slowdown = 4

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const round = (value: number, places = 2): number => Math.round(value * 10 ** places) / 10 ** places

const polling = await withBenchDatabase(sizesOf(options), options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 10_000)
  const server = await startInThread(new URL('./targets/full.ts', import.meta.url), databaseUrl, { accounts: 20 })
  const headers = { authorization: 'Bearer operator-token-of-the-bench' }
  const watch = async (signal: AbortSignal): Promise<number> => {
    let polls = 0
    // Each starts at a different moment, as people do.
    await delay(Math.random() * everyMs, undefined, { signal })
    while (!signal.aborted) {
      for (const path of asked) await (await fetch(`${server.origin}${path}`, { headers, signal })).text()
      polls += 1
      await delay(everyMs, undefined, { signal })
    }
    return polls
  }
  const details = async () =>
    runLoad({
      ...server,
      connections: Number(options.connections),
      seconds,
      request: (n) => ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }),
    })
  await details()
  const ratios: number[] = []
  const alone: number[] = []
  for (let turn = 0; turn < Number(options.rounds); turn++) {
    const { perSecond } = await details()
    const stop = new AbortController()
    const watchers = Array.from({ length: operators * moreBy }, () => watch(stop.signal).catch(() => 0))
    const watched = await details()
    stop.abort()
    await Promise.all(watchers)
    alone.push(perSecond)
    ratios.push(watched.perSecond / perSecond)
  }
  await server.stop()
  const cost = (1 - median(ratios)) / moreBy
  return {
    detailsPerSecond: median(alone),
    ratios: ratios.map((each) => round(each, 3)),
    costOfOperators: round(cost, 4),
  }
})

async function firstPage() {
  const instance = await startConsole({ PANJI_SAMPLE: 'off' })
  if (!instance) return 'no browser starts'
  const context = await instance.browser.newContext()
  const page = await context.newPage()
  const scripts: number[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(gzipSync(await response.body()).length)
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const timesMs: number[] = []
  for (let visit = 0; visit < 5; visit++) {
    await context.clearCookies()
    const begun = performance.now()
    await page.goto(`${instance.url}/console`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    timesMs.push(performance.now() - begun)
  }
  await instance.stop()
  return {
    usableMs: round(median(timesMs)),
    firstMs: round(timesMs[0] ?? Number.NaN),
    scriptKiB: round(Math.max(...scripts) / 1024, 1),
  }
}

console.log(JSON.stringify({ bench: 'console', operators, polling, firstPage: await firstPage() }, null, 2))
