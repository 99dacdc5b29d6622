/**
 * The first page where everything is broken at once: each red thing has what fixes it.
 */
import { expect, test } from 'vitest'
import type { OperatorDesk } from '../../support/operator-desk.ts'

/** Any answer of the API. */
type Answer = Readonly<Record<string, unknown>>
const account = '3f0a4b7e-6c1d-4b52-9f53-0d2c7a1e8b90'

export function describeHealth(desk: () => OperatorDesk): void {
  test('each red thing on the first page has the button, the way or the command that fixes it', async () => {
    const { page } = desk()
    const hour = 3_600_000
    const altered = (path: string, change: (answer: Answer) => Answer) =>
      page.route(path, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: change((await response.json()) as Answer) })
      })
    // As the server answers where everything is broken at once.
    await altered('**/admin/overview', (answer) => ({
      ...answer,
      ...{ worker: { running: false }, keys: { secret_key_ok: false }, dead_letters: 2, destinations: { broken: 1 } },
      queues: [{ queue: 'deliver-leads', waiting: 3, active: 0, oldest_seconds: 900 }],
      sources: [
        { source: 'hsn-sac', taken_in_at: null, last_run_id: 1, last_status: 'failed', waiting_runs: [] },
        { source: 'nic', taken_in_at: '2020-01-01T00:00:00Z', last_run_id: 2, last_status: 'no_op', waiting_runs: [] },
      ],
      broken_destinations: [{ destination_id: account, user_id: account, name: 'Zoho of Kamala', reason: 'revoked' }],
      ledger: { proved_at: new Date().toISOString(), transfers: 9, violations: 1 },
      conditions: [
        {
          type: 'ledger.broken',
          severity: 'page',
          summary: 'The ledger is broken',
          remedy: 'Verify it',
          since: new Date().toISOString(),
        },
        // What has a button on the pages is not told as a command.
        {
          type: 'import.needs_approval',
          severity: 'ticket',
          summary: 'Import 7 needs approval',
          remedy: '`panji approve` ends the wait.',
          since: new Date().toISOString(),
        },
      ],
    }))
    await altered('**/admin/schedules', ({ data }) => ({
      data: (data as Answer[]).slice(0, 1).map((schedule) => ({
        ...{ ...schedule, name: 'codes', source: 'nic', last_run: new Date(Date.now() - 2 * hour).toISOString() },
      })),
    }))
    await altered('**/admin/storage', (answer) => ({ ...answer, free_bytes: 2 ** 30 }))
    await altered('**/admin/payments?*', (answer) => ({ ...answer, total: 1 }))
    await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: { status: 'not ready' } }))
    await page.goto('/console')
    const fixes = [
      ['Needs attention', 'Who is notified'],
      ['Failed imports', 'Import a file'],
      ['Registers', 'Run codes now'],
      ['Worker', 'npx panji start'],
      ['Queues', 'See what is at work'],
      ['Dead letters', 'Resolve them'],
      ['Destinations', 'Try again'],
      ['Ledger', 'See what does not add up'],
      ['Payments', 'Review them'],
      ['Disk', 'npx panji history prune --before YYYY-MM-DD'],
      ['Secret key', 'npx panji doctor'],
      ['API', 'npx panji doctor'],
    ] as const
    for (const [card, fix] of fixes) {
      await page
        .getByRole('region', { name: card, exact: true })
        .and(page.locator('.bad, .warn'))
        .getByText(fix, { exact: true })
        .waitFor()
    }
    const conditions = page.getByRole('region', { name: 'Needs attention', exact: true })
    await conditions.getByRole('link', { name: 'See Ledger.', exact: true }).waitFor()
    await conditions.getByText('Open the import to see why it needs approval, and approve or discard it.').waitFor()
    expect(await conditions.getByText(/panji/i).count()).toBe(0)
    expect(await page.locator('.card.bad, .card.warn').count()).toBe(fixes.length)
    // A reading may be under way; what it is answered is nobody's affair any more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('/console/import?source=nic')
    expect(await page.getByLabel('What it holds', { exact: true }).inputValue()).toBe('nic')
  }, 240_000)
}
