/** The ways between pages, at a desk and on a phone. */
import { expect, test } from 'vitest'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { addressesOf } from '../../support/page-links.ts'

export function describeNavigation(instance: () => ConsoleInstance): void {
  test('eight pages are in sight, all in a drawer on a phone, and credits and the sample world on both', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    const inSight = page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).getByRole('link')
    await inSight.first().waitFor()
    expect(await inSight.count()).toBe(8)
    const all = await addressesOf(page)
    expect(all.length).toBeGreaterThan(12)

    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => inSight.allTextContents()).toEqual(['Home', 'Search', 'Orders', 'Deliveries'])
    await page.getByRole('link', { name: /^[\d,]+ credits left$/ }).waitFor()
    await page.getByText('Sample world', { exact: true }).waitFor()
    const more = page.getByRole('button', { name: 'More', exact: true })
    expect(await more.getAttribute('aria-current')).toBeNull()
    await more.click()
    const drawer = page.getByRole('dialog')
    await drawer.waitFor()
    const offered = await drawer
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(offered.toSorted()).toEqual([...new Set(all)].toSorted())
    await drawer.getByRole('link', { name: 'Audit log', exact: true }).click()
    await page.getByRole('heading', { name: 'Audit log', level: 1, exact: true }).waitFor()
    await drawer.waitFor({ state: 'detached' })
    // The bar says below which of its buttons the page stands, and the drawer which it is.
    expect(await more.getAttribute('aria-current')).toBe('true')
    await more.click()
    const here = drawer.locator('a[aria-current]')
    expect(await here.allTextContents()).toEqual(['Audit log'])
    const weight = "getComputedStyle(document.querySelector('.drawer a[aria-current]')).fontWeight"
    expect(await page.evaluate(weight)).toBe('600')
    expect(faults).toEqual([])
    await page.close()
  })
}
