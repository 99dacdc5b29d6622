/**
 * `npm run screenshots` makes one sheet of every page in four forms, desktop and phone in light and dark, to look at before a change of
 * the pages is called done: `tmp/contact-sheet.html`, which holds its pictures, and is no part of the repository.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../scripts/build-web.ts'
import { themes, widths } from '../support/browser.ts'
import { signedIn, startConsole } from '../support/console-instance.ts'
import { beginPurchase, makeWatchlist, reachedFrom, routesOf, visit } from './every-page.ts'

const folder = new URL('../../tmp/', import.meta.url)
const quality = 45
const heights = { desk: 900, phone: 844 } as const
const forms = (['desk', 'phone'] as const).flatMap((size) => themes.map((theme) => ({ size, theme })))

interface Shown {
  readonly address: string
  /** As data: addresses, one for each form. */
  readonly pictures: readonly string[]
}

async function picturesOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const pictures: string[] = []
  for (const { size, theme } of forms) {
    await page.setViewportSize({ width: widths[size], height: heights[size] })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.waitForLoadState('networkidle')
    // What is drawn for a theme is drawn anew in the frame after it changed.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality })
    pictures.push(`data:image/webp;base64,${data}`)
  }
  await page.setViewportSize({ width: widths.desk, height: heights.desk })
  return pictures
}

/** A list that leads nowhere in this world has no page of one thing; it is named and left out. */
async function isThere(page: Page, address: string): Promise<boolean> {
  const list = reachedFrom[address]
  if (list === undefined) return true
  await page.goto(list)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  return (await page.locator('main tbody a').count()) > 0
}

async function shoot(page: Page, application: 'console' | 'app'): Promise<Shown[]> {
  const shown: Shown[] = []
  for (const path of routesOf(application)) {
    const address = `/${application}${path === '/' ? '' : path}`
    if (!(await isThere(page, address))) {
      console.log(`${address}: nothing leads there`)
      continue
    }
    await visit(page, address)
    shown.push({ address, pictures: await picturesOf(page) })
    console.log(address)
  }
  return shown
}

const sheetOf = (shown: readonly Shown[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Panji, every page</title>
<style>
  body { font: 13px system-ui; margin: 1rem; background: #888; }
  section { display: grid; grid-template-columns: repeat(2, 480px) repeat(2, 139px); gap: 8px; margin-bottom: 1rem; }
  h2 { grid-column: 1 / -1; font-size: 14px; margin: 0; }
  img { width: 100%; display: block; }
</style>
${shown.map(({ address, pictures }) => `<section><h2>${address}</h2>${pictures.map((picture, at) => `<img src="${picture}" alt="${address}, ${forms[at]?.size}, ${forms[at]?.theme}">`).join('')}</section>`).join('\n')}
</html>
`

buildWeb()
const instance = await startConsole()
if (!instance) throw new Error('no browser starts')
try {
  const { page: desk } = await signedIn(instance, '/console')
  const operators = await shoot(desk, 'console')
  const { page: app } = await signedIn(instance, '/app')
  await app.getByRole('button', { name: 'Skip the tour', exact: true }).click()
  await makeWatchlist(app)
  await beginPurchase(app)
  const buyers = await shoot(app, 'app')
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('contact-sheet.html', folder), sheetOf([...operators, ...buyers]))
  console.log(`tmp/contact-sheet.html: ${operators.length + buyers.length} pages in ${forms.length} forms`)
} finally {
  await instance.stop()
}
