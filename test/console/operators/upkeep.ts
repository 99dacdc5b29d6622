/**
 * What an operator keeps in order: days of sources, objections, blocked addresses, schedules and dead letters.
 */
import { expect, test } from 'vitest'
import { deadLetterQueue } from '../../../src/queue/queues.ts'
import { addSchedule } from '../../../src/queue/schedule/schedules.ts'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'
import type { Listed } from './buyer.ts'

export function describeUpkeep(desk: () => OperatorDesk): void {
  test('the day of a source is lowered, who objects is withheld and taken off again, and an address is blocked and let in', async () => {
    const { page, press, closed, call, told } = desk()
    const scope = async () => (await call<{ data: readonly { as_of: string }[] }>('/admin/sources/pincodes/scope')).data
    await page.goto('/console/sources/pincodes')
    await press(page, 'Lower a day', { To: '2025-01-01', Reason: 'the day was mistyped' })
    await closed('1 partition will count as seen on that day')
    await expect.poll(scope, patience).toMatchObject([{ as_of: '2025-01-01' }])
    expect(await told('ask to lower scope')).toMatchObject({
      subject: 'pincodes',
      detail: { reason: 'the day was mistyped' },
    })

    const objections = async () => (await call<Listed<object>>('/admin/suppressions')).total
    await page.goto('/console/suppressions')
    await press(page, 'Withhold contacts', {
      'E-mail addresses (optional)': 'kamala@example.in',
      'Reference (optional)': 'OBJ-17',
    })
    await page.getByRole('cell', { name: 'OBJ-17', exact: true }).waitFor()
    expect(await objections()).toBe(1)
    await press(page, 'Take off')
    await page.getByText('Nobody has objected yet.').waitFor()
    expect(await objections()).toBe(0)

    const blocked = () => call<{ data: readonly object[] }>('/admin/security/blocked-ips')
    await page.goto('/console/addresses')
    await press(page, 'Block an address', { 'Address or network': '203.0.113.7', 'Reason (optional)': 'scraping' })
    await page.getByRole('cell', { name: 'operator:asha', exact: true }).waitFor()
    expect(await blocked()).toMatchObject({ data: [{ ip: '203.0.113.7', reason: 'scraping' }] })
    await press(page, 'Let in again')
    await page.getByText('No address is blocked.').waitFor()
    expect(await blocked()).toMatchObject({ data: [] })
    for (const action of ['add suppressions', 'remove suppressions', 'block address', 'unblock address']) {
      expect(await told(action)).toBeDefined()
    }
  }, 240_000)

  test('a schedule is added, paused, resumed, run and removed, and dead letters are run again or dropped', async () => {
    const { page, db, press, closed, call, told } = desk()
    await page.goto('/console/schedules')
    const address = 'https://registers.example/nic.csv'
    await press(page, 'Add a schedule', {
      Name: 'codes',
      'What to import': 'nic',
      'From where': address,
      'Time in India': '03:15',
    })
    await page.getByRole('dialog').getByText('codes runs: Every day at 03:15, in Indian time.').waitFor()
    expect(await page.getByRole('dialog').getByRole('status').locator('time').count()).toBe(3)
    await closed('codes runs')
    const added = page.getByRole('row').filter({ hasText: address })
    await added.getByText('Every day at 03:15').waitFor()
    // Under the same name it is changed, by a line of cron for what no field says.
    await page.getByRole('button', { name: 'Add a schedule', exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('How often', { exact: true }).selectOption('cron expression')
    expect(await form.getByLabel('Time in India', { exact: true }).count()).toBe(0)
    for (const [field, text] of Object.entries({
      Name: 'codes',
      'From where': address,
      'Cron expression': '0 3 1 1 *',
    }))
      await form.getByLabel(field, { exact: true }).fill(text)
    await form.getByLabel('What to import', { exact: true }).selectOption('nic')
    // One that is there is not changed unawares.
    await form.getByRole('button', { name: 'Add a schedule', exact: true }).click()
    await form.locator('input[type=checkbox]:invalid').waitFor()
    await added.getByText('Every day at 03:15').waitFor()
    await form.getByLabel('Change the schedule that has this name', { exact: true }).check()
    await form.getByRole('button', { name: 'Add a schedule', exact: true }).click()
    await closed('On 1 January of each year at 03:00')
    await press(added, 'Pause')
    await added.getByText('paused', { exact: true }).waitFor()
    await press(added, 'Resume')
    await added.getByText('on', { exact: true }).waitFor()
    await press(added, 'Remove')
    await added.waitFor({ state: 'detached' })
    for (const verb of ['set', 'pause', 'resume', 'remove']) {
      expect(await told(`${verb} schedule`)).toMatchObject({ subject: 'codes' })
    }

    // A folder that a terminal has named is offered by its path, and asked for by the name of its schedule.
    const [timezone, payload] = ['Asia/Kolkata', { source: 'nic', input: '/srv/panji/nic' }]
    await addSchedule(db, { name: 'nic-drop', cron: '*/5 * * * *', timezone, job: 'fetch-source', payload })
    await page.reload()
    await press(page, 'Add a schedule', { Name: 'nic-night', 'What to import': 'nic', From: '/srv/panji/nic' })
    await closed('nic-night runs')
    const night = page.getByRole('row').filter({ hasText: 'nic-night' })
    await night.getByText('nic from /srv/panji/nic').waitFor()
    for (const row of [night, page.getByRole('row').filter({ hasText: 'nic-drop' })]) {
      await press(row, 'Remove')
      await row.waitFor({ state: 'detached' })
    }
    const jobs = async (queue: string, state: string) =>
      (await call<Listed<object>>(`/admin/jobs?queue=${queue}&state=${state}`)).total
    const swept = await jobs('sweep-expired', 'completed')
    await press(page.getByRole('row').filter({ hasText: 'sweep-expired' }), 'Run now')
    await expect.poll(() => jobs('sweep-expired', 'completed'), patience).toBeGreaterThan(swept)
    expect(await told('run schedule')).toMatchObject({ subject: 'sweep-expired' })
    // A worker that comes to it after the answer was read: the page shows so long before its own round, every 30 s.
    await page.reload()
    const proof = page.getByRole('row').filter({ hasText: 'verify-audit-log' })
    await proof.getByText('never', { exact: true }).waitFor()
    await db.transaction(async (tx) => {
      await tx.execute(`SELECT 1 FROM runtime.schedule WHERE name = 'verify-audit-log' FOR UPDATE`)
      const read = page.waitForResponse((reply) => reply.request().method() === 'GET' && /schedules$/.test(reply.url()))
      await press(proof, 'Run now')
      await read
    })
    await proof.getByText('never', { exact: true }).waitFor({ state: 'detached', timeout: 15_000 })

    await db.execute(
      `INSERT INTO pgboss.job (name, data, source_name, source_id, source_output, source_retry_count, source_created_on)
       SELECT $1, '{}', 'sweep-expired', gen_random_uuid(), '{"code": "INTERNAL", "message": "it broke"}', 5, now()
       FROM generate_series(1, 3)`,
      [deadLetterQueue],
    )
    await page.goto('/console/jobs')
    const letters = page
      .getByRole('region', { name: 'Dead letters', exact: true })
      .getByRole('row')
      .filter({ hasText: 'it broke' })
    const before = await jobs('sweep-expired', 'completed')
    await press(letters.first(), 'Run again')
    await closed('A worker handles 1 job now.')
    await letters.nth(2).waitFor({ state: 'detached' })
    await expect.poll(() => jobs('sweep-expired', 'completed'), patience).toBeGreaterThan(before)
    await press(letters.first(), 'Discard')
    await closed('A worker handles 1 job now.')
    await letters.nth(1).waitFor({ state: 'detached' })
    await press(page, 'Discard: all')
    await closed('A worker handles 1 job now.')
    await page.getByText('No job failed for good.').waitFor()
    expect((await call<Listed<object>>('/admin/jobs/dead')).total).toBe(0)
    for (const act of ['redrive', 'discard']) expect(await told(`${act} dead letters`)).toBeDefined()
  }, 240_000)
}
