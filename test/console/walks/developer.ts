/**
 * A developer's walk: a raw key is answered with the call that exchanges it, a webhook is made in the app, a test event reaches the
 * receiver of `panji webhook listen`, the page says what it answered, and the log of the key has the calls of a program.
 */
import { expect, test } from 'vitest'
import { createPanjiClient } from '../../../client/index.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { freePort } from '../../support/free-port.ts'
import { follow } from '../../support/page-links.ts'
import { press } from '../buyers/press.ts'

export function describeDeveloper(instance: () => ConsoleInstance): void {
  test('a developer makes a webhook, tries it against a receiver of this machine, and sees the answer', async () => {
    const { url, apiKey, home } = instance()
    const refused = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(await refused.json()).toMatchObject({
      exchange: expect.stringContaining(`curl -sS ${url}/api/auth/login`),
    })

    const { page, faults } = await signedIn(instance(), '/app/webhooks')
    const port = await freePort()
    const address = `http://127.0.0.1:${port}/`
    await page.getByRole('button', { name: 'Add a webhook', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address', { exact: true }).fill(address)
    await press(page, 'Add a webhook')
    await dialog.getByText(/^whsec_/).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()

    const { answer } = await home.json('webhook', 'list', 'demo@example.com')
    const id = (answer as { webhook_id: string }[])[0]?.webhook_id ?? ''
    const receiver = home.run('webhook', 'listen', id, '--port', String(port), '--json')
    await expect
      .poll(
        () =>
          fetch(address).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(405)
    const heard = receiver.line('"verified":true')

    await page
      .getByRole('row')
      .filter({ hasText: address })
      .getByRole('button', { name: 'Send a test', exact: true })
      .click()
    await dialog.getByLabel('Event', { exact: true }).selectOption('a lead is rejected')
    await press(page, 'Send a test')
    await dialog.getByText('It answered 204.').waitFor()
    expect(JSON.parse((JSON.parse(await heard) as { body: string }).body)).toMatchObject({
      ...{ type: 'delivery.rejected', test: true },
    })
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await page
      .getByRole('region', { name: 'Events', exact: true })
      .getByRole('row')
      .filter({ hasText: 'a lead is rejected test' })
      .getByText('delivered', { exact: true })
      .waitFor()

    // What a program calls with the key, and with what answer.
    const panji = createPanjiClient({ baseUrl: url, apiKey })
    await panji.GET('/api/company/details', { params: { query: { cin: 'U85100GA2022PTC999999' } } })
    await page.goto('/app/keys')
    await page.getByRole('link', { name: apiKey.slice(0, 10), exact: true }).click()
    const asked = page.getByRole('row').filter({ hasText: 'GET /api/company/details' })
    await asked.getByText('404', { exact: true }).waitFor()
    expect(await asked.textContent()).toContain('NOT_FOUND')

    // Nobody listens there any more.
    await follow(page, '/app/webhooks')
    await page
      .getByRole('region', { name: 'Webhooks', exact: true })
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await press(page, 'Remove')
    await page.getByText('No webhooks yet. Choose “Add a webhook”').waitFor()
    receiver.child.kill('SIGINT')
    expect((await receiver.ended).code).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
