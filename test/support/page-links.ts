/** Navigation between pages, as a person does it. */
import type { Locator, Page } from 'playwright-core'

const pages = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages of Panji', exact: true })

/** By the navigation; a collapsed section is opened first. */
export async function goTo(page: Page, label: string): Promise<void> {
  await pages(page).waitFor()
  const link = page.locator('a').filter({ hasText: new RegExp(`^${label}$`) })
  const closed = pages(page).locator('details:not([open])').filter({ has: link })
  if ((await closed.count()) > 0) await closed.locator('summary').click()
  await pages(page).locator(link).click()
}

/**
 * Like a link inside the open application: scripts are not loaded again, and recent reads are not repeated. The next
 * step must wait for something that the previous page did not have.
 */
export const follow = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(new URL(address, page.url()).href)})`)

/** Addresses of all pages in the navigation, collapsed or not. */
export async function addressesOf(page: Page): Promise<string[]> {
  await pages(page).getByRole('link').first().waitFor()
  return pages(page)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}
