/** What the acts of an account's people have in common: the button that a dialog ends with, and the record to begin with. */
import type { Page } from 'playwright-core'
import type { ConsoleInstance } from '../../support/console-instance.ts'

/** Presses the button of that name in the dialog of an act; its fields are filled before. */
export const press = (page: Page, label: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()

/** As a look at the page after an hour elsewhere. */
export const readAnew = `{
  const now = Date.now
  Date.now = () => now() + 3_600_000
  dispatchEvent(new Event('visibilitychange'))
}`

/** The record that the start names as an example. */
export const exampleCin = ({ printed }: ConsoleInstance): string => /[?&]cin=(\w+)/.exec(printed)?.[1] ?? ''
