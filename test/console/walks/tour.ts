/** A newcomer's tour: from the first page of the app by its five stops to a lead in the sandbox CRM, and how it is left. */
import { expect, test } from 'vitest'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { goTo } from '../../support/page-links.ts'
import { expectNoOtherFaults, sandboxOf, seeInSandbox } from '../seen-in-sandbox.ts'

export function describeTour(instance: () => ConsoleInstance): void {
  test('a newcomer is led by five stops to a lead in the sandbox CRM, and is not led there again', async () => {
    const sandbox = sandboxOf(instance())
    const { page, faults } = await signedIn(instance(), '/app')
    const begunAt = performance.now()
    const tour = page.getByRole('complementary', { name: 'Tour', exact: true })
    await tour.getByText('1 of 5 · Home').waitFor()
    await tour.getByRole('link', { name: 'Next: Search', exact: true }).click()
    await tour.getByText('2 of 5 · Search').waitFor()
    // Somebody who strays finds back.
    await goTo(page, 'Lists')
    await tour.getByRole('link', { name: 'Back to Search', exact: true }).click()
    await tour.getByRole('link', { name: 'Next: Buy leads', exact: true }).click()
    await tour.getByText('3 of 5 · Buy leads').waitFor()
    await page.getByRole('button', { name: 'Choose all on this page', exact: true }).click()
    // Its price comes later than its number.
    await page
      .getByRole('button', { name: /^Buy \d+ lead/ })
      .first()
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Buy \d+ lead/ })
      .click()
    await tour.getByText('4 of 5 · Your leads').waitFor()
    await seeInSandbox(page, sandbox)
    console.log(`the tour takes ${Math.round(performance.now() - begunAt)} ms`)

    await page.goto(`${instance().url}/app`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await tour.count()).toBe(0)
    expectNoOtherFaults(faults, sandbox)
    await page.close()
  }, 240_000)

  test('the tour is skipped with one press, and a reload does not bring it back', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    const tour = page.getByRole('complementary', { name: 'Tour', exact: true })
    // On paper nobody is led.
    await tour.waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await tour.isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
    await tour.getByRole('button', { name: 'Skip the tour', exact: true }).click()
    expect(await tour.count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await tour.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)
}
