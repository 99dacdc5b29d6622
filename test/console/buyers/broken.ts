/** A CRM that is not accepting leads is shown on every page of its account, with its reason and the way to fix it, until it works again. */
import { expect, test } from 'vitest'
import { openDb } from '../../../src/db/db.ts'
import { readInstance } from '../../../src/db/embedded/instance-lock.ts'
import { violations, widths } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { addressesOf } from '../../support/page-links.ts'

const reason = 'Salesforce refuses the credentials.'

/** As the first refusal of the credentials leaves it. */
async function breakSalesforce({ home }: ConsoleInstance): Promise<void> {
  const connectionString = readInstance(home.dataDir)?.databaseUrl ?? ''
  const db = openDb({ connectionString, applicationName: 'panji-test', connectionsMax: 1 })
  await db.execute(
    `UPDATE deliver.destination SET status = 'broken', status_reason = $1,
       failure = jsonb_build_object('code', 'CRM_UNAUTHORIZED', 'message', $1::text, 'at', now()), failures = 1
     WHERE name = 'salesforce sandbox'`,
    [reason],
  )
  await db.close()
}

export function describeBroken(instance: () => ConsoleInstance): void {
  test('every page shows a CRM that is not accepting leads, and none does once a test of it succeeds', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    const pages = await addressesOf(page)
    expect(pages.length).toBeGreaterThan(12)
    const banner = page.getByRole('region', { name: 'Broken CRMs', exact: true })
    await page.goto('/app/orders')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await banner.count()).toBe(0)

    await breakSalesforce(instance())
    for (const address of pages) {
      await page.goto(address)
      // Home has it among what needs somebody.
      const told = /^\/app\/?$/.test(address) ? page.getByRole('region', { name: 'Needs you', exact: true }) : banner
      await told.getByText('salesforce sandbox is not accepting leads.').waitFor()
      await told.getByText(reason).waitFor()
    }
    await page.goto('/app/orders')
    await banner.waitFor()
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 })
      expect(await violations(page)).toEqual([])
    }
    await page.setViewportSize({ width: widths.desk, height: 900 })
    await banner.getByRole('link', { name: 'Reconnect', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'salesforce sandbox', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText('Everything works.').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await banner.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
