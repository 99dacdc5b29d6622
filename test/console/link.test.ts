/** The link that the first start prints: a newcomer comes in by it without a token. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { type ConsoleInstance, startConsole } from '../support/console-instance.ts'

let instance: ConsoleInstance | undefined
beforeAll(async () => {
  instance = await startConsole({ PANJI_SAMPLE: 'off' })
}, 240_000)
afterAll(() => instance?.stop())

test('the link that the first start prints signs in once, and leaves the address', async ({ skip }) => {
  if (!instance) return skip()
  const [link = ''] = /http\S+#code=\S+/.exec(instance.printed) ?? []
  const first = await openPage(instance.browser, instance.url)
  await first.page.goto(link)
  await first.page.getByRole('navigation', { name: 'Pages of Panji' }).waitFor()
  expect(first.page.url()).not.toContain('code')
  expect(first.faults).toEqual([])
  await first.page.close()
  // A refused sign-in is told of in the browser's console.
  const second = await openPage(instance.browser, instance.url, (message) => message.includes('/console/session'))
  await second.page.goto(link)
  await second.page.getByText('no longer works').waitFor()
  expect(second.faults).toEqual([])
  await second.page.close()
})
