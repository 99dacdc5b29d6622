/** A whole Panji with its sample world, and a browser for it, for the tests of the console. */
import type { Browser } from 'playwright-core'
import { openPage, startBrowser, type WatchedPage } from './browser.ts'
import { freePort } from './free-port.ts'
import { type PanjiHome, panjiHome } from './panji-cli.ts'
import type { NodeProcess } from './run-node.ts'

export const operatorToken = 'an-operator-token-of-the-console'

export interface ConsoleInstance {
  readonly browser: Browser
  readonly home: PanjiHome
  readonly url: string
  readonly apiKey: string
  /** What the start printed. */
  readonly printed: string
  /** Stops it, awaits `meanwhile`, and starts it again, on the same port where PORT is set. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/**
 * @param furnish prepares the data directory before the start.
 * @returns undefined where no browser starts. The pages are the last build: in a test, that of built-pages.ts.
 */
export async function startConsole(
  env: Record<string, string> = {},
  furnish: (dataDir: string) => Promise<void> = () => Promise.resolve(),
): Promise<ConsoleInstance | undefined> {
  const browser = await startBrowser()
  if (!browser) return undefined
  const home = panjiHome({ PANJI_OPERATOR_TOKEN: operatorToken, ...env })
  await furnish(home.dataDir)
  let panji: NodeProcess = home.run('start')
  await panji.line('Ctrl-C stops.')
  const printed = panji.printed()
  return {
    browser,
    home,
    printed,
    url: new URL(/API\s+(http:\S+)/.exec(printed)?.[1] ?? '').origin,
    apiKey: /panji_\w{43}/.exec(printed)?.[0] ?? '',
    async restart(meanwhile) {
      panji.child.kill('SIGINT')
      await panji.ended
      await meanwhile()
      panji = home.run('start')
      await panji.line('Ctrl-C stops.')
    },
    async stop() {
      await browser.close()
      panji.child.kill('SIGINT')
      await panji.ended
      home.remove()
    },
  }
}

/** At an address that browsers can be redirected or mailed to. */
export async function startConsoleAtAddress(
  env: Record<string, string> = {},
  furnish?: (dataDir: string) => Promise<void>,
): Promise<ConsoleInstance | undefined> {
  const port = await freePort()
  return startConsole({ PORT: String(port), PANJI_PUBLIC_URL: `http://127.0.0.1:${port}`, ...env }, furnish)
}

/** A page at this address, in the console or the app, signed in through its sign-in page. */
export async function signedIn(
  instance: ConsoleInstance,
  address: string,
  isExpected?: (message: string) => boolean,
  token = operatorToken,
): Promise<WatchedPage> {
  const watched = await openPage(instance.browser, instance.url, isExpected)
  const { page } = watched
  await page.goto(address)
  await page.locator('input[type=password]').fill(address.startsWith('/console') ? token : instance.apiKey)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).waitFor()
  return watched
}
