/** Ways through the pages, as somebody takes them who sees the navigation. */
import type { Locator, Page } from 'playwright-core'

const pages = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages of Panji', exact: true })

/** By the navigation; the head above it is opened where it stands below one. */
export async function goTo(page: Page, label: string): Promise<void> {
  await pages(page).waitFor()
  const link = page.locator('a').filter({ hasText: new RegExp(`^${label}$`) })
  const closed = pages(page).locator('details:not([open])').filter({ has: link })
  if ((await closed.count()) > 0) await closed.locator('summary').click()
  await pages(page).locator(link).click()
}

/**
 * As by a link, within the application that is open: nothing of it is fetched and compiled again, and what was read moments ago is not
 * read anew. What comes next has to wait for something that the page before did not have.
 */
export const follow = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(new URL(address, page.url()).href)})`)

/** Addresses of all pages that the navigation names, folded or not. */
export async function addressesOf(page: Page): Promise<string[]> {
  await pages(page).getByRole('link').first().waitFor()
  return pages(page)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}
