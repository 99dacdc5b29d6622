/** Two windows change one setting that is saved whole: the second is told what the first changed, and takes nothing of it back unseen. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { asProgram } from '../as-program.ts'
import type { Listed } from '../operators/buyer.ts'
import { press } from './press.ts'

/** While one of an account speaks with its CRMs, another waits and asks again. */
const isConflict = (told: string) => told.includes('409') || /429.*\/mapping\/preview\)$/.test(told)
const alertIn = (page: Page) => page.getByRole('dialog').getByRole('alert')
const changesIn = (page: Page) => alertIn(page).getByRole('listitem').allTextContents()

export function describeTwoWindows(instance: () => ConsoleInstance): void {
  test('if two windows change the billing details, the second shows what the first changed and keeps what was typed', async () => {
    const call = await asProgram(instance())
    const kept = { legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' }
    await call('PUT', '/api/users/me/billing', kept)
    const { page, faults } = await signedIn(instance(), '/app/account', isConflict)
    await page.getByRole('button', { name: 'Change billing details', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Legal name', { exact: true }).fill('Mandovi and Sons LLP')
    await call('PUT', '/api/users/me/billing', { ...kept, legal_name: 'Zuari LLP', address: '1 Church Square, Panaji' })
    await press(page, 'Change billing details')
    await alertIn(page).getByText('Someone changed your billing details while this was open.').waitFor()
    expect(await changesIn(page)).toEqual([
      'Legal name: Mandovi Trading LLP → Zuari LLP; yours is Mandovi and Sons LLP and would replace it',
      'Address with PIN code: 12 Altinho, Panaji 403001 → 1 Church Square, Panaji',
    ])
    const form = () =>
      Promise.all(
        ['Legal name', 'Address with PIN code'].map((label) => dialog.getByLabel(label, { exact: true }).inputValue()),
      )
    expect(await form()).toEqual(['Mandovi and Sons LLP', '1 Church Square, Panaji'])
    expect(await violations(page)).toEqual([])
    await press(page, 'Change billing details')
    await dialog.waitFor({ state: 'hidden' })
    const { billing } = await call<{ billing: object }>('GET', '/api/users/me/billing')
    expect(billing).toMatchObject({ legal_name: 'Mandovi and Sons LLP', address: '1 Church Square, Panaji' })
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('of two windows that choose e-mails the second takes over what the first chose', async () => {
    const call = await asProgram(instance())
    const events = ['order.paid', 'destination.broken']
    await call('PUT', '/api/crm/mails', { events })
    const { page, faults } = await signedIn(instance(), '/app/webhooks', isConflict)
    await page.getByRole('button', { name: 'Choose', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('When your credits run low', { exact: true }).check()
    await call('PUT', '/api/crm/mails', { events: ['order.paid', 'order.delivered'] })
    await press(page, 'Choose')
    await alertIn(page).getByText('while this was open').waitFor()
    expect(await changesIn(page)).toEqual(['When an order is delivered: no → yes', 'When a CRM is broken: yes → no'])
    await press(page, 'Choose')
    await dialog.waitFor({ state: 'hidden' })
    expect(await call('GET', '/api/crm/mails')).toMatchObject({
      events: ['order.paid', 'order.delivered', 'credits.low'],
    })
    await call('PUT', '/api/crm/mails', { events: ['destination.broken'] })
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('of two windows that change when leads go into a CRM the second takes over the hours of the first, and one that sets its options asks again', async () => {
    const call = await asProgram(instance())
    const { data } = await call<Listed<{ destination_id: string; type: string }>>('GET', '/api/crm/destinations')
    const id = data.find(({ type }) => type === 'hubspot')?.destination_id ?? ''
    const path = `/api/crm/destinations/${id}`
    const before = await call<{ deliver: string }>('GET', path)
    const { page, faults } = await signedIn(instance(), `/app/destinations/${id}`, isConflict)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Most leads per write (optional)', { exact: true }).fill('40')
    await call('PATCH', path, { hours: '20:00-06:00' })
    await press(page, 'Change')
    await alertIn(page).getByText('while this was open').waitFor()
    expect(await changesIn(page)).toEqual(['Leads go from: nothing → 20:00', 'and until: nothing → 06:00'])
    await press(page, 'Change')
    await dialog.waitFor({ state: 'hidden' })
    expect(await call('GET', path)).toMatchObject({ ...before, ...changed })

    await page.getByRole('button', { name: 'Set options', exact: true }).click()
    const wait = dialog.getByLabel('Longest wait for an answer, in milliseconds (optional)', { exact: true })
    await wait.fill('41000')
    await call('PATCH', path, { hours: null, batch_size: null })
    await press(page, 'Set options')
    await alertIn(page).getByText('but nothing shown here').waitFor()
    expect(await wait.inputValue()).toBe('41000')
    await wait.fill('')
    await press(page, 'Set options')
    await dialog.waitFor({ state: 'hidden' })
    expect(await call('GET', path)).toMatchObject({ hours: null, batch_size: null })
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('if two windows change the fields of a CRM, the second shows what the first saved and keeps both changes', async () => {
    const call = await asProgram(instance())
    const { data } = await call<Listed<{ destination_id: string; type: string }>>('GET', '/api/crm/destinations')
    const id = data.find(({ type }) => type === 'salesforce')?.destination_id ?? ''
    const path = `/api/crm/destinations/${id}/mapping`
    const constant = (field: string, text: string) => ({ field, value: { constant: text } })
    const kept = () => call<{ fields: object[] }>('GET', path)
    await call('PUT', path, { fields: [constant('City', 'Panaji'), constant('Description', 'of the register')] })
    const { page, faults } = await signedIn(instance(), `/app/destinations/${id}/mapping?show=changed`, isConflict)
    const city = page.getByRole('row').filter({ has: page.getByText('City', { exact: true }) })
    await city.getByRole('button', { name: 'Undo the change', exact: true }).click()
    await page.getByText('1 field is changed, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await call('PUT', path, { fields: [constant('City', 'Panaji'), constant('Company', 'ACME')] })
    await press(page, 'Keep')
    await alertIn(page).getByText('Someone changed the fields while this was open.').waitFor()
    expect((await changesIn(page)).toSorted()).toEqual([
      'Company: not changed → “ACME”',
      'Description: “of the register” → not changed',
    ])
    // It is seen on the page, too, and outlasts a reload.
    await page.getByRole('button', { name: 'Not now', exact: true }).click()
    for (const _ of ['once', 'after a reload']) {
      await page.getByRole('alert').getByText('Someone changed the fields').waitFor()
      await page.reload()
    }
    await page.getByText('1 field is changed, not saved yet.').waitFor()
    expect((await kept()).fields).toHaveLength(2)
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect((await kept()).fields).toEqual([constant('Company', 'ACME')])
    await page.getByText('1 field is changed.').waitFor()
    await call('PUT', path, { fields: [] })
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)
}

const changed = { batch_size: 40, hours: '20:00-06:00', revision: expect.any(String) }
