/**
 * A real browser for the tests of the console: Chromium from its npm package, otherwise one installed on the machine.
 * Where none starts, the reason is printed and the tests are skipped; under PANJI_BROWSER=required, as in `.ci/run`,
 * they fail.
 */
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserEnv, shiftDates } from './browser-clock.ts'

export const widths = { desk: 1440, phone: 390 } as const
/** Window widths at which a table must show all its columns. */
export const tableWidths = [390, 768, 1024, 1120, 1280, 1440] as const
export const themes = ['light', 'dark'] as const
const patienceMs = 120_000

// Root may not use Chromium's own sandbox; the pages are ours, from this machine.
const parameters = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage']

/** @returns undefined where no browser starts. */
export async function startBrowser(): Promise<Browser | undefined> {
  const refusals: string[] = []
  for (const start of [
    startPackaged,
    () => chromium.launch({ channel: 'chrome', args: parameters, env: browserEnv() }),
  ]) {
    try {
      return await start()
    } catch (refusal) {
      refusals.push(String(refusal).split('\n')[0] ?? '')
    }
  }
  const reason = `no browser starts: ${refusals.join('; ')}`
  if (process.env['PANJI_BROWSER'] === 'required') throw new Error(reason)
  console.log(`skipped: ${reason}`)
  return undefined
}

async function startPackaged(): Promise<Browser> {
  const { default: packaged } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packaged.executablePath(), args: parameters, env: browserEnv() })
}

export interface WatchedPage {
  readonly page: Page
  /** Errors of the page's console and scripts, and requests to other origins. */
  readonly faults: string[]
}

/** On a busy machine a search may be refused because its queue is full, and the page retries. */
const isBusy = (text: string): boolean => /status of 429 .*\/api\/screener\/(search|facets)\)$/.test(text)

/** @param isExpected refusals that a test provokes; the browser logs each in its console. */
export async function openPage(
  browser: Browser,
  origin: string,
  isExpected: (message: string) => boolean = () => false,
): Promise<WatchedPage> {
  const page = await browser.newPage({
    baseURL: origin,
    viewport: { width: widths.desk, height: 900 },
    locale: 'en-IN',
    reducedMotion: 'reduce',
  })
  // A machine under load is slow, which is no failure: the test's own timeout applies.
  page.setDefaultTimeout(patienceMs)
  await shiftDates(page)
  const faults: string[] = []
  page.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`
    if (message.type() === 'error' && !isBusy(text) && !isExpected(text)) faults.push(text)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(`asks ${request.url()}`)
  })
  return { page, faults }
}

/** Passing checks are run but not described: describing thousands of elements took longer than checking them. */
const ofAll = { resultTypes: ['violations'] }
/** The rules about colours. All others give the same result in every theme. */
const ofColours = { ...ofAll, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/**
 * @param rules `colours` where the page was fully checked in another theme.
 * @returns axe's findings on the page as shown, one line for each rule.
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // The page's policy allows no injected script; what a debugger evaluates is not part of the page.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run(${JSON.stringify(rules === 'all' ? ofAll : ofColours)}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | ')))`,
  )
}

/**
 * Tables that are partly outside their frame or the window, and a page that scrolls sideways, once the layout has
 * settled.
 */
export function cutTables(page: Page): Promise<string[]> {
  return page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const found = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    for (const frame of document.querySelectorAll('.table-frame, .grid-frame')) {
      const name = frame.getAttribute('aria-label')
      if (frame.scrollWidth > frame.clientWidth) found.push(name + ' is ' + frame.scrollWidth + ' wide in ' + frame.clientWidth)
      const right = Math.max(0, ...[...frame.querySelectorAll('td, [role=cell]')].map((cell) => cell.getBoundingClientRect().right))
      if (right > innerWidth) found.push(name + ' reaches to ' + right)
    }
    done(found)
  })))`)
}

/** Content outside the window on a phone at twice the text size: the page itself, or a link or button of its bars. */
export async function cutAtTwice(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: widths.phone, height: 900 })
  const found = await page.evaluate<string[]>(`new Promise((done) => {
    document.documentElement.style.fontSize = '200%'
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const found = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []
      for (const each of document.querySelectorAll('.top :is(a, button), .bottom > *'))
        if (each.getBoundingClientRect().right > innerWidth) found.push(each.textContent + ' lies beside the window')
      document.documentElement.style.fontSize = ''
      done(found)
    }))
  })`)
  return found
}

/**
 * As `cutTables`, where somebody chose letters of twice the size for all pages in the settings of the browser: the page is laid out as in a
 * window of half the width.
 */
export async function cutByChosenLetters(page: Page, width: number): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const choose = (standard: number) => devtools.send('Page.setFontSizes', { fontSizes: { standard } })
  await page.setViewportSize({ width, height: 900 })
  const before = await sizeOfLetters(page)
  await choose(2 * usualLetters)
  const found =
    (await sizeOfLetters(page)) === 2 * before ? await cutTables(page) : ['the letters are not of twice the size']
  await choose(usualLetters)
  await devtools.detach()
  return found
}

/** Of pages that name none, in every browser. */
const usualLetters = 16

const sizeOfLetters = (page: Page): Promise<number> =>
  page.evaluate('parseFloat(getComputedStyle(document.body).fontSize)')
