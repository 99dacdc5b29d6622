/**
 * A CRM of an account's people: it is connected, its fields are changed, a row that it refuses is fixed, and a webhook hears
 * of it.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow } from '../../support/page-links.ts'
import { asProgram } from '../as-program.ts'
import { press } from './press.ts'
import { enter } from './team.ts'

export function describeFields(instance: () => ConsoleInstance): void {
  test('what was typed of a new CRM and of a new webhook outlasts a reload and a way back, but for its secrets, until it is dropped', async () => {
    const { page, faults } = await signedIn(instance(), '/app/destinations/connect')
    const dialog = page.getByRole('dialog')
    const [name, token] = [
      dialog.getByLabel('Name', { exact: true }),
      dialog.getByLabel('Access token', { exact: true }),
    ]
    const open = () =>
      page
        .getByRole('region', { name: 'HubSpot', exact: true })
        .getByRole('button', { name: 'Private app', exact: true })
        .click()
    const began = dialog.getByText('You began this and did not save it; “Not now” drops it.', { exact: true })
    await open()
    expect(await began.count()).toBe(0)
    await name.fill('Portal of the west')
    await token.fill('pat-half-written')
    for (const leave of [
      () => page.reload(),
      async () => {
        await page.goto('/app/orders')
        await page.goBack()
      },
    ]) {
      await leave()
      await open()
      await began.waitFor()
      expect([await name.inputValue(), await token.inputValue()]).toEqual(['Portal of the west', ''])
    }
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('pat-half-written')
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()
    await open()
    expect([await name.inputValue(), await began.count()]).toEqual(['HubSpot', 0])

    await page.goto('/app/webhooks')
    const add = page.getByRole('button', { name: 'Add a webhook', exact: true }).first()
    await add.click()
    await dialog.getByLabel('Address', { exact: true }).fill('https://hooks.example/panji')
    await page.reload()
    await add.click()
    await began.waitFor()
    expect(await dialog.getByLabel('Address', { exact: true }).inputValue()).toBe('https://hooks.example/panji')
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a CRM is connected with its hours, its batch and how much of its calls stays for other programs, and they are changed on its page', async () => {
    const isNoColumn = (message: string) => message.includes('422') && message.includes('/destinations/')
    const { page, faults } = await signedIn(instance(), '/app/destinations/connect', isNoColumn)
    const dialog = page.getByRole('dialog')
    const hubspot = page.getByRole('region', { name: 'HubSpot', exact: true })
    await hubspot.getByRole('button', { name: 'Private app', exact: true }).click()
    const share = dialog.getByLabel('Percent of its daily calls for your other programs', { exact: true })
    await dialog.getByText('Options', { exact: true }).click()
    await dialog
      .getByLabel('When somebody deleted the record of a lead', { exact: true })
      .selectOption('write a new record')
    await dialog.getByText('When and how leads go').click()
    expect(await dialog.getByText(/JSON/i).count()).toBe(0)
    await dialog.getByLabel('Name', { exact: true }).fill('Second portal')
    await dialog.getByLabel('Access token', { exact: true }).fill('pat-that-nobody-calls-with')
    expect(await share.inputValue()).toBe('20')
    // The browser itself says what is too much.
    await share.fill('90.01')
    await share.and(page.locator(':invalid')).waitFor()
    await share.fill('0')
    await dialog.getByLabel('Most leads per write (optional)', { exact: true }).fill('40')
    await dialog.getByLabel('Leads go from (optional)', { exact: true }).fill('20:00')
    await dialog.getByLabel('and until (optional)', { exact: true }).fill('06:30')
    await press(page, 'Connect HubSpot')
    // Nobody has called with that token yet, so nobody knows.
    await page.getByRole('main').getByText('not set up yet', { exact: true }).waitFor()
    await page.getByText('Leads go at most 40 leads at once, from 20:00 to 06:30 in India.').waitFor()
    await page.getByText('0 % of its daily calls are reserved for your other programs.').waitFor()

    // Options change by themselves, and the token that was typed once stays.
    await page.getByRole('button', { name: 'Set options', exact: true }).click()
    const found = dialog.getByLabel('Records that were there before are found by (optional)', { exact: true })
    expect(await dialog.getByLabel('When somebody deleted the record of a lead', { exact: true }).inputValue()).toBe(
      'recreate',
    )
    await found.fill('contacts.email = Fax')
    await press(page, 'Set options')
    await dialog
      .getByRole('alert')
      .getByText(/is not a lead column/)
      .waitFor()
    await found.fill('contacts.email = Email')
    await dialog.getByLabel('Longest wait for an answer, in milliseconds (optional)', { exact: true }).fill('')
    await press(page, 'Set options')
    await page.getByRole('main').getByText('Settings', { exact: true }).click()
    await page.getByText('contacts.email = Email').waitFor()
    await page.getByText('[hidden]', { exact: true }).first().waitFor()

    await page.getByRole('button', { name: 'Change', exact: true }).click()
    expect(await share.inputValue()).toBe('0')
    await share.fill('12.5')
    expect(await dialog.getByLabel('and until (optional)', { exact: true }).inputValue()).toBe('06:30')
    await dialog.getByLabel('Most leads per write (optional)', { exact: true }).fill('')
    await dialog.getByLabel('Leads go from (optional)', { exact: true }).fill('')
    await dialog.getByLabel('and until (optional)', { exact: true }).fill('')
    await press(page, 'Change')
    await page.getByText('Leads go as many at once as the CRM accepts, at any time.').waitFor()
    await page.getByText('12.5 % of its daily calls are reserved for your other programs.').waitFor()
    await page.getByText('Now: manually.').waitFor()

    // A standing order that delivers there alone is named before the CRM goes, and takes another afterwards.
    const second = page.url()
    await follow(page, `/app/standing-orders/make?${new URLSearchParams({ query: "State == 'Goa'" })}`)
    await page.getByLabel('Name', { exact: true }).fill('Into the second')
    await page.getByLabel('Deliver into Second portal', { exact: true }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Into the second', exact: true }).waitFor()
    const order = page.url()
    await page.goto(second)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByText('Into the second delivers nowhere else').waitFor()
    await press(page, 'Remove')
    await page.getByRole('link', { name: 'hubspot sandbox', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Second portal', exact: true }).waitFor({ state: 'detached' })
    await page.goto(order)
    await page.getByText('a CRM that was removed').waitFor()
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page
      .getByLabel(/^Deliver into/)
      .first()
      .check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('a CRM that was removed').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('the value of a CRM field is changed next to a sample lead, a test row shows it, and the change is undone', async () => {
    const isNoWord = (message: string) => message.includes('400') && message.includes('/mapping/preview')
    const { page, faults } = await signedIn(instance(), '/app/destinations', isNoWord)
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'salesforce sandbox', exact: true }).click()
    const destination = page.url()
    await page.getByRole('link', { name: 'Review and change fields', exact: true }).click()
    const field = page.getByRole('row').filter({ hasText: 'Lead Source' })
    await field.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByLabel('It holds', { exact: true }).selectOption('constant')
    await dialog.getByLabel('Text', { exact: true }).fill('Spring fair')
    // A word that is none is told of where it was typed.
    await dialog.getByLabel('Changed by (optional)', { exact: true }).fill('louder')
    await press(page, 'Change')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Changed by (optional)', { exact: true }).fill('')
    await press(page, 'Change')
    await field.getByText('“Spring fair”').waitFor()
    await field.getByRole('cell', { name: 'Spring fair', exact: true }).waitFor()
    await page.getByText('1 field is changed, not saved yet.').waitFor()
    // Nor is a draft lost by a reload, or by a look at another page.
    await page.reload()
    await field.getByText('“Spring fair”').waitFor()
    await page.getByRole('link', { name: 'The CRM', exact: true }).click()
    await page.goBack()
    await page.getByText('1 field is changed, not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByText('1 field is changed.').waitFor()
    await page.reload()
    await field.getByText('“Spring fair”').waitFor()

    await page.goto(destination)
    await page.getByRole('button', { name: 'Send a test row', exact: true }).click()
    await press(page, 'Send a test row')
    await dialog.getByText('It was deleted again.').waitFor()
    await dialog.getByText('Spring fair').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()

    await page.getByRole('link', { name: 'Review and change fields', exact: true }).click()
    await field.getByRole('button', { name: 'Undo the change', exact: true }).click()
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByText('0 fields are changed.').waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a field that leads of each kind fill in a way of their own has a row for each, and a change of one leaves the other', async () => {
    const call = await asProgram(instance())
    const { data } = await call<{ data: readonly { destination_id: string; name: string }[] }>(
      'GET',
      '/api/crm/destinations',
    )
    const id = data.find(({ name }) => name === 'salesforce sandbox')?.destination_id
    const address = `/api/crm/destinations/${id}/mapping`
    const holds = (kind: string, constant: string) => ({ field: 'LeadSource', for: [kind], value: { constant } })
    await call('PUT', address, { fields: [holds('company', 'Firms'), holds('gst', 'Traders')] })
    const { page, faults } = await signedIn(instance(), `/app/destinations/${id}/mapping`)
    const firms = page.getByRole('row').filter({ hasText: '“Firms”' })
    await firms.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Text', { exact: true }).fill('Companies')
    await press(page, 'Change')
    await page.getByText('“Companies”; for companies').waitFor()
    await page.getByText('“Traders”; for GST registrations').waitFor()
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByText('2 fields are changed.').waitFor()
    const { fields } = await call<{ fields: readonly object[] }>('GET', address)
    expect(fields).toMatchObject([holds('gst', 'Traders'), holds('company', 'Companies')])

    // A viewer reads it, and is refused nothing.
    const { user_id } = await call<{ user_id: string }>('GET', '/api/users/me')
    const invited = await instance().home.json('account', 'invite', user_id, 'vera@example.in', '--role', 'viewer')
    const { link, person_id } = invited.answer as { link: string; person_id: string }
    const vera = await enter(instance(), link)
    await follow(vera.page, `/app/destinations/${id}/mapping`)
    await vera.page.getByText('“Companies”; for companies').waitFor()
    expect(await vera.page.getByRole('alert').count()).toBe(0)
    expect(vera.faults).toEqual([])
    await vera.page.close()
    await call('DELETE', `/api/team/${person_id}`, {})
    await call('PUT', address, { fields: [] })
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a row that the CRM rejects is fixed on the page, and the webhook notified of it is notified again and removed', async () => {
    const { page, faults } = await signedIn(instance(), '/app/webhooks')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add a webhook', exact: true }).click()
    // A name that leads nowhere, by the rules of names.
    await dialog.getByLabel('Address', { exact: true }).fill('https://hook.example.invalid/panji')
    await press(page, 'Add a webhook')
    await dialog.getByText(/^whsec_/).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()

    // From now on the CRM is given a city where it takes an e-mail address.
    await follow(page, '/app/destinations')
    await page.getByRole('link', { name: 'salesforce sandbox', exact: true }).click()
    await page.getByRole('link', { name: 'Review and change fields', exact: true }).click()
    await page.getByRole('heading', { name: /^Fields of / }).waitFor()
    const mapping = page.url()
    const field = page.getByRole('row').filter({ hasText: /^Email Email/ })
    await field.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByLabel('It holds', { exact: true }).selectOption('column')
    await dialog.getByLabel('Column', { exact: true }).selectOption('City')
    await press(page, 'Change')
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByText('1 field is changed.').waitFor()

    await page.goto("/app/search?query=State+%3D%3D+'Gujarat'&type=company")
    await page.locator('tbody').getByRole('checkbox').first().waitFor()
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 4)) await box.check()
    await page.getByRole('button', { name: /^Buy \d leads/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Buy \d leads/ })
      .click()
    await page.getByRole('region', { name: 'Leads of the order', exact: true }).getByRole('row').nth(1).waitFor()
    await page.getByRole('link', { name: 'Its deliveries', exact: true }).click()
    await page.getByLabel('Outcome', { exact: true }).selectOption('rejected')
    const refused = page.locator('main tbody tr')
    await refused.first().getByText(/email/i).first().waitFor()
    const record = (await refused.first().locator('code').first().textContent()) ?? ''
    // All of one reason stand together beside what helps, and a row names its lead.
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    const card = page.getByRole('region', { name: 'salesforce sandbox', exact: true })
    await card.getByRole('img', { name: /^\d+ delivered to salesforce sandbox in 14 days$/ }).waitFor()
    const reason = card.getByRole('listitem').filter({ hasText: 'Email' })
    expect(await reason.count()).toBe(1)
    await card.getByRole('button', { name: 'Retry all', exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await reason.getByRole('link', { name: /^Fix \d leads?$/ }).click()
    await refused.first().getByRole('link').first().waitFor()
    expect(await refused.first().locator('code').first().textContent()).toBe(record)
    expect(await refused.first().getByRole('link').first().textContent()).not.toBe('')
    // Who presses before the row is there empties none of its columns.
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/leads?format=flat', async (route) => {
      await held
      await route.continue()
    })
    await refused.first().getByRole('button', { name: 'Fix', exact: true }).click()
    await press(page, 'Fix')
    await dialog.getByRole('alert').getByText('The row is not shown yet, so nothing was changed.').waitFor()
    answer()
    await dialog.getByLabel('City (optional)', { exact: true }).fill('office@example.com')
    await press(page, 'Fix')
    await dialog.getByText('The row is sent again with your changes.').waitFor()
    // Its row goes by itself with the next look at what is rejected; the word about it stays until it is closed.
    await refused.filter({ hasText: record }).waitFor({ state: 'detached' })
    await dialog.getByText('The row is sent again with your changes.').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByLabel('Outcome', { exact: true }).selectOption('created')
    await refused
      .filter({ hasText: record })
      .filter({ has: page.getByRole('button', { name: /^Open in Salesforce$/ }) })
      .waitFor()

    await page.goto(mapping)
    await field.getByRole('button', { name: 'Undo the change', exact: true }).click()
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await press(page, 'Keep')
    await page.getByText('0 fields are changed.').waitFor()

    await follow(page, '/app/webhooks')
    const told = page
      .getByRole('region', { name: 'Events', exact: true })
      .getByRole('row')
      .filter({ hasText: 'a lead is rejected' })
    await told.first().getByRole('button', { name: 'Send again', exact: true }).click()
    await press(page, 'Send again')
    await dialog.getByText('It goes to 1 webhook.').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await page
      .getByRole('region', { name: 'Webhooks', exact: true })
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await press(page, 'Remove')
    await page.getByText('No webhooks yet. Choose “Add a webhook”').waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
