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

/** Addresses of all pages that the navigation names, folded or not. */
export async function addressesOf(page: Page): Promise<string[]> {
  await pages(page).getByRole('link').first().waitFor()
  return pages(page)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}
