/**
 * Accounts and operators: credits, plan, feeds and keys of an account, and its suspension; an operator who is added and revoked; a key
 * that is rotated, and what an account sees.
 */
import { expect, test } from 'vitest'
import { violations, widths } from '../../support/browser.ts'
import { signedIn } from '../../support/console-instance.ts'
import type { OperatorDesk } from '../../support/operator-desk.ts'
import type { Listed } from './buyer.ts'

export function describeAccounts(desk: () => OperatorDesk): void {
  test('an account gets credits, a plan and a feed; the feed is ended, and the account is closed and let in again', async () => {
    const { page, press, closed, call, told } = desk()
    await page.goto('/console/accounts')
    await page.getByRole('link', { name: 'demo@example.com', exact: true }).click()
    await page.getByRole('heading', { name: 'demo@example.com', exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const account = () => call<object>(`/admin/users/${id}`)
    await press(page, 'Change credits', {
      Credits: '5',
      Reference: 'letter 7',
      Reason: 'a fault of ours',
      Type: 'granted',
    })
    await closed('Done.')
    expect(await told('adjust credits')).toMatchObject({ subject: id, detail: { credits: 5, reference: 'letter 7' } })
    expect(await call('/admin/ledger?search=grant:letter%207')).toMatchObject({ data: [{ memo: 'a fault of ours' }] })

    const dialog = page.getByRole('dialog')
    // The grants below are sorted by a button of that name.
    await page.locator('.page-head').getByRole('button', { name: 'Change plan', exact: true }).click()
    await dialog.getByLabel('Enterprise', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Change plan', exact: true }).click()
    await page.getByText('premium, enterprise').waitFor()
    expect(await account()).toMatchObject({ plan: 'premium', is_enterprise: true })
    expect(await told('change plan')).toMatchObject({ subject: id })

    await press(page, 'Grant a feed', {
      Feed: 'director',
      'States (optional)': 'Goa',
      'Name of the plan (optional)': 'while they decide',
    })
    const grant = page.getByRole('row').filter({ hasText: 'while they decide' })
    await press(grant, 'End')
    await grant.getByText('revoked', { exact: true }).waitFor()
    expect(await told('grant entitlement')).toMatchObject({ subject: id })
    expect(await told('revoke grant')).toMatchObject({ subject: id })

    await press(page, 'Make a key', { 'Name (optional)': 'of the new program' })
    await closed(/^panji_\w{43}$/)
    const key = page.getByRole('row').filter({ hasText: 'of the new program' })
    await press(key, 'Revoke')
    await key.getByText('revoked', { exact: true }).waitFor()
    for (const action of ['issue api key', 'revoke api key']) expect(await told(action)).toMatchObject({ subject: id })

    await press(page, 'Suspend', { 'Reason (optional)': 'unpaid' })
    await page.getByText('unpaid', { exact: true }).waitFor()
    expect(await account()).toMatchObject({ suspended: true, reason: 'unpaid' })
    await press(page, 'Let in again')
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    expect(await account()).toMatchObject({ suspended: false })
    for (const action of ['suspend account', 'unsuspend account'])
      expect(await told(action)).toMatchObject({ subject: id })
  }, 240_000)

  test('a CRM is connected to an account by labelled fields, paused, resumed and removed, and the one that is there is tested', async () => {
    const { page, press, closed, call, told } = desk()
    const made = await call<{ user_id: string }>('/admin/users', { email: 'crm@example.in' })
    await page.goto(`/console/accounts/${made.user_id}`)
    await page.getByText('No CRM is connected.').waitFor()
    await page.getByText('Connect a CRM').click()
    const hubspot = page.getByRole('region', { name: 'HubSpot', exact: true })
    const typed = {
      Name: 'Their portal',
      'Access token': 'pat-that-nobody-calls-with',
      'Paid orders go there': 'automatic',
    }
    await press(hubspot, 'Private app', typed, 'Connect HubSpot')
    const row = page.getByRole('row').filter({ hasText: 'Their portal' })
    await row.getByText('automatically, as soon as an order is paid').waitFor()
    expect(await violations(page)).toEqual([])
    const kept = await call<{ data: readonly { destination_id: string }[] }>(
      `/admin/users/${made.user_id}/destinations`,
    )
    expect(kept).toMatchObject({
      data: [{ name: 'Their portal', type: 'hubspot', settings: { access_token: '[hidden]' } }],
    })
    const [crm] = kept.data

    await press(row, 'Pause')
    await page.locator('.toast').getByText('Deliveries to Their portal are paused.').waitFor()
    await row.getByText('paused by request').waitFor()
    await press(row, 'Resume')
    await row.getByText('not set up yet').waitFor()
    await press(row, 'Remove')
    await page.getByText('No CRM is connected.').waitFor()
    expect(await violations(page)).toEqual([])
    for (const act of ['pause', 'resume', 'remove']) {
      expect(await told(`${act} account destination`)).toMatchObject({
        subject: `${made.user_id} ${crm?.destination_id}`,
      })
    }

    await page.goto('/console/accounts')
    await page.getByRole('link', { name: 'demo@example.com', exact: true }).click()
    const sandbox = page.getByRole('row').filter({ hasText: 'salesforce sandbox' })
    await press(sandbox, 'Test')
    await closed('Everything works.')
    // The narrowest window that everything is seen in without a second direction to scroll in.
    const before = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await violations(page)).toEqual([])
    if (before) await page.setViewportSize(before)
    const href = await sandbox.getByRole('link').first().getAttribute('href')
    const destination = new URL(href ?? '', page.url()).searchParams.get('destination')
    const { total } = await call<Listed<object>>(`/admin/deliveries?destination_id=${destination}`)
    expect(total).toBeGreaterThan(0)
    await sandbox.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${total} leads in all`).waitFor()
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()
  }, 240_000)

  test('an operator is added, her session is ended, and she is revoked: her token opens nothing any more', async () => {
    const { instance, page, press, told } = desk()
    const name = 'meena'.repeat(8)
    await page.goto('/console/operators')
    await press(page, 'Add an operator', { Name: name, Role: 'operator' })
    const dialog = page.getByRole('dialog')
    const hers = (await dialog.getByRole('status').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    const other = await signedIn(instance, '/console', (message) => message.includes('401'), hers)
    await page.reload()
    const session = page
      .getByRole('region', { name: 'Sessions', exact: true })
      .getByRole('row')
      .filter({ hasText: name })
    await press(session, 'End')
    await session.waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await other.page.close()
    expect(await told('end console session')).toMatchObject({ subject: `operator:${name}` })

    const status = async () =>
      (await fetch(`${instance.url}/admin/overview`, { headers: { Authorization: `Bearer ${hers}` } })).status
    expect(await status()).toBe(200)
    const operator = page
      .getByRole('region', { name: 'Operators', exact: true })
      .getByRole('row')
      .filter({ hasText: name })
    const desktop = page.viewportSize()
    await page.setViewportSize({ width: widths.phone, height: 844 })
    await operator.getByRole('button', { name: 'Revoke', exact: true }).click()
    await dialog.getByRole('heading', { name: `Revoke ${name}?`, exact: true }).waitFor()
    // A name without a space breaks.
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    if (desktop) await page.setViewportSize(desktop)
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await operator.getByText('revoked', { exact: true }).waitFor()
    expect(await status()).toBe(401)
    for (const action of ['add operator', 'revoke operator']) {
      expect(await told(action)).toMatchObject({ subject: `operator:${name}` })
    }
  }, 240_000)
}
