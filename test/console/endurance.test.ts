/** What the console does where there is very much of something, and where its server goes away and comes again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signedIn, startConsole } from '../support/console-instance.ts'
import { freePort } from '../support/free-port.ts'
import { goTo } from '../support/page-links.ts'
import { useConsole } from '../support/use-console.ts'

// A restart must come back where the browser looks for it.
const instance = useConsole(async () => startConsole({ PANJI_SAMPLE: 'off', PORT: String(await freePort()) }))

const rejects = 100_000

test('a hundred thousand refused rows scroll without holes, wherever somebody jumps to', async () => {
  const { home } = instance()
  const file = join(home.dataDir, 'broken.csv')
  writeFileSync(file, `DIN,Status,Name\n${'x\n'.repeat(rejects)}00000001,Approved,Asha\n`)
  await home.json('ingest', 'mca-directors', file, '--as-of', '2026-01-01')
  const { page, faults } = await signedIn(instance(), '/console/runs/1/rejects')
  await page.getByText('1,00,000 rows').waitFor()
  const frame = page.locator('.grid-frame')
  for (const share of [0, 0.37, 0.92, 1, 0.5]) {
    await frame.evaluate((element, at) => element.scrollTo(0, at * element.scrollHeight), share)
    await expect.poll(() => page.evaluate(sightIsFilled), { timeout: 60_000 }).toBe(true)
    const [line = '', index = ''] = await page.evaluate<string[]>(middleRow)
    // The header is line 1 of the file and row 1 of the table.
    expect(line.replaceAll(',', '')).toBe(index)
    if (share === 0.5) expect(Math.abs(Number(index) - rejects / 2)).toBeLessThan(50)
  }
  expect(faults).toEqual([])
  await page.close()
}, 120_000)

test('a run is reported live, and a stream that is cut off continues after the last event', async () => {
  const { page, faults } = await signedIn(instance(), '/console')
  const asked: (string | undefined)[] = []
  const at = (rows: number, status: string) => ({ status, progress: { step: 'stage', rows } })
  const events = [at(5, 'staging'), at(70, 'staging'), at(70, 'succeeded')]
  let run: Record<string, unknown> = {}
  await page.route('**/admin/ingest/runs/1', async (route) => {
    const reply = await route.fetch()
    run = { ...((await reply.json()) as Record<string, unknown>), error: null }
    await route.fulfill({ response: reply, json: { ...run, ...at(0, 'staging') } })
  })
  await page.route('**/admin/ingest/runs/1/events', async (route) => {
    const id = asked.push((await route.request().headerValue('last-event-id')) ?? undefined)
    const data = JSON.stringify({ ...run, ...events[id - 1] })
    // What follows the event is the half of another one, as a cut leaves it.
    const body = `retry: 1000\n\nevent: run\nid: ${id}\ndata: ${data}\n\nevent: run\nid: half`
    await route.fulfill({ contentType: 'text/event-stream', body })
  })
  await page.goto('/console/runs/1')
  await page.getByText('reading the file, 5 rows').waitFor()
  await page.getByText('reading the file, 70 rows').waitFor()
  await page.getByRole('status').getByText('succeeded', { exact: true }).waitFor()
  expect(asked).toEqual([undefined, '1', '2'])
  expect(faults).toEqual([])
  await page.close()
}, 180_000)

test('on a slow network a page says what it is loading, and text typed in the meantime is kept', async () => {
  const { page, faults } = await signedIn(instance(), '/console')
  let answer = () => {}
  const slow = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/admin/ledger*', async (route) => {
    await slow
    await route.continue()
  })
  await goTo(page, 'Ledger')
  await page.getByText('Loading the ledger …').waitFor()
  await page.getByLabel('Whole reference, or id of an order, item or transfer', { exact: true }).fill('order 12')
  answer()
  await page.getByRole('heading', { name: 'Balances', exact: true }).waitFor()
  expect(
    await page.getByLabel('Whole reference, or id of an order, item or transfer', { exact: true }).inputValue(),
  ).toBe('order 12')
  expect(faults).toEqual([])
  await page.close()
}, 180_000)

/** Every pixel of the frame below its head belongs to a row, and every row in sight is read. */
const sightIsFilled = `(() => {
  const frame = document.querySelector('.grid-frame').getBoundingClientRect()
  const x = frame.left + 30
  for (let y = frame.top + 45; y < frame.bottom - 20; y += 15) {
    const row = document.elementFromPoint(x, y)?.closest('.grid-body .grid-row')
    if (!row || row.textContent.includes('reading')) return false
  }
  return true
})()`
const middleRow = `(() => {
  const frame = document.querySelector('.grid-frame').getBoundingClientRect()
  const row = document.elementFromPoint(frame.left + 30, (frame.top + frame.bottom) / 2).closest('.grid-row')
  return [row.firstElementChild.textContent, row.getAttribute('aria-rowindex')]
})()`

test('a page announces a restart of the server and continues afterwards, without signing in again', async () => {
  const isGone = (message: string) => /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(message)
  const { page, faults } = await signedIn(instance(), '/console', isGone)
  const ready = page.getByRole('region', { name: 'API', exact: true })
  await ready.getByText('ready', { exact: true }).waitFor()
  await instance().restart(() => ready.getByText('It may be restarting').waitFor())
  await ready.getByText('It answers').waitFor()
  await goTo(page, 'Ledger')
  await page.getByRole('heading', { name: 'Balances', exact: true }).waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 180_000)

test('without a network an act says so and does not happen later, and a reading says so until the network is back', async () => {
  const { page, faults } = await signedIn(instance(), '/console', (message) =>
    /ERR_INTERNET_DISCONNECTED/.test(message),
  )
  await goTo(page, 'Ledger')
  await page.getByRole('heading', { name: 'Balances', exact: true }).waitFor()
  await goTo(page, 'Schedules')
  const row = page.getByRole('row').filter({ hasText: 'check-ledger' })
  await row.getByRole('button', { name: 'Pause', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await dialog.getByRole('alert').getByText('Panji does not answer.').waitFor()
  await dialog.getByRole('button', { name: 'Not now', exact: true }).click()

  await goTo(page, 'Ledger')
  await page.getByLabel('Whole reference, or id of an order, item or transfer', { exact: true }).fill('order 12')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('alert').getByText('Panji does not answer.').first().waitFor()
  await page.context().setOffline(false)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Balances', exact: true }).waitFor()
  await goTo(page, 'Schedules')
  await row.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 180_000)

test('a page whose script or answer did not come is there once Panji answers, and a menu that did not come takes nothing with it', async () => {
  const { page, faults } = await signedIn(instance(), '/console', (message) =>
    /ERR_(FAILED|INTERNET)|did not load/.test(message),
  )
  await page.context().setOffline(true)
  await goTo(page, 'Suppressions')
  await page.getByText('It reloads as soon as Panji answers.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Suppressions', exact: true }).waitFor()

  // A restart is no network that comes back: nothing tells the browser of it.
  const away = (url: URL) => url.pathname.startsWith('/admin/')
  await page.route(away, (route) => route.abort())
  await goTo(page, 'Blocked addresses')
  await page.getByRole('alert').getByText('Panji does not answer.').waitFor()
  await page.unroute(away)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByText('No address is blocked.').waitFor()

  let menu = ''
  await page.route('**/*.js', async (route) => {
    const reply = await route.fetch()
    if ((await reply.text()).includes('Keys j, k, x')) menu = reply.url()
    await route.fulfill({ response: reply })
  })
  await page.reload()
  await expect.poll(() => menu).not.toBe('')
  await page.unrouteAll({ behavior: 'wait' })
  await page.route(menu, (route) => route.abort())
  await page.reload()
  await page.getByText('No address is blocked.').waitFor()
  expect(await page.getByRole('button', { name: 'Display', exact: true }).isDisabled()).toBe(true)
  expect(faults).toEqual([])
  await page.close()
}, 180_000)
