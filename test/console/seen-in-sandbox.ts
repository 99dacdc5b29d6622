/** The way of a delivered lead into the sandbox CRM, by clicks. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ConsoleInstance } from '../support/console-instance.ts'

export const sandboxOf = ({ printed }: ConsoleInstance): string =>
  new URL(/http\S+(?=\/control)/.exec(printed)?.[0] ?? '').origin

/** From the page of an order to the record that one of its leads became. */
export async function seeInSandbox(page: Page, sandbox: string): Promise<void> {
  await page.getByRole('link', { name: 'Its deliveries', exact: true }).click()
  const arrived = page.locator('main tbody tr').filter({ has: page.getByRole('button', { name: /^Open in / }) })
  await arrived.first().waitFor({ timeout: 60_000 })
  const record = (await arrived.first().locator('code').textContent()) ?? 'none'
  await arrived
    .first()
    .getByRole('button', { name: /^Open in / })
    .click()
  await page.waitForURL(`${sandbox}/pages/*/records/*`)
  await page.getByText(record, { exact: true }).waitFor()
}

/** The way into the sandbox is the one other place that is asked. */
export function expectNoOtherFaults(faults: readonly string[], sandbox: string): void {
  expect(faults.filter((fault) => !fault.startsWith(`asks ${sandbox}/pages/`))).toEqual([])
}
