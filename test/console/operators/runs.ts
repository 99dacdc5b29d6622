/**
 * Runs that an operator decides about: one that waits is let through over a newer one, and undone; one at work is stopped. The
 * page says so, the audit log names who did it, and the server is asked whether it is so.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import { operatorToken } from '../../support/console-instance.ts'
import { serveFile } from '../../support/file-server.ts'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'

interface Run {
  readonly run_id: number
  readonly status: string
}
const rows = (from: number, to: number) => companies(from, to, { registrar: 'Ladakh' })

/** @returns the run once it is at rest. */
async function takenIn({ instance, call }: OperatorDesk, name: string, text: string, wish = {}): Promise<Run> {
  const sent = await fetch(`${instance.url}/admin/ingest/uploads?filename=${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/octet-stream' },
    body: text,
  })
  const { upload_id } = (await sent.json()) as { upload_id: string }
  const { run_id } = await call<Run>('/admin/ingest/runs', { source: 'mca-companies', upload_id, ...wish })
  await expect
    .poll(async () => (await readRun(call, run_id)).status, patience)
    .toMatch(/succeeded|needs_approval|previewed/)
  return readRun(call, run_id)
}
const readRun = (call: OperatorDesk['call'], id: number): Promise<Run> => call(`/admin/ingest/runs/${id}`)

export function describeRuns(desk: () => OperatorDesk): void {
  test('a run that waits is let through over a newer one on the first page, and undone on its own, each with a reason', async () => {
    const { page, press, call, told, instance } = desk()
    await takenIn(desk(), 'whole.csv', snapshotText(rows(5001, 5060)))
    const cut = await takenIn(desk(), 'cut.csv', snapshotText(rows(5001, 5012)))
    expect(cut.status).toBe('needs_approval')
    await takenIn(desk(), 'right.csv', snapshotText(rows(5001, 5061)))
    const nightly = { name: 'nightly', cron: '0 4 * * *', address: 'https://publisher.example/companies.csv' }
    await call('/admin/schedules', { ...nightly, source: 'mca-companies' })
    await page.goto('/console')
    const waiting = page.getByRole('region', { name: 'Imports that need approval', exact: true })
    await waiting.getByText(/^Holds nightly since /).waitFor()
    const headers = { Authorization: `Bearer ${operatorToken}` }
    const removed = await fetch(`${instance.url}/admin/schedules/nightly`, { method: 'DELETE', headers })
    expect(removed.status).toBe(200)
    const dialog = page.getByRole('dialog')
    await press(waiting, 'Approve import', { Reason: 'the registrar struck them off' })
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Also over imports since then', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Approve import', exact: true }).click()
    await waiting.getByText('No import needs approval.').waitFor()
    const reason = 'the registrar struck them off'
    expect(await told('approve run')).toMatchObject({ subject: `${cut.run_id}`, detail: { reason, supersede: true } })

    await page.goto(`/console/runs/${cut.run_id}`)
    await page.getByRole('status').getByText('succeeded', { exact: true }).waitFor()
    await page.getByText(`approved by operator:asha, over newer runs: ${reason}`).waitFor()
    await press(page, 'Undo import', { Reason: 'they are open after all' })
    await page.waitForURL((url) => !url.pathname.endsWith(`/${cut.run_id}`))
    await page.getByRole('status').getByText('succeeded', { exact: true }).waitFor()
    await page.getByText('they are open after all', { exact: true }).waitFor()
    expect(await told('undo run')).toMatchObject({
      subject: `${cut.run_id}`,
      detail: { reason: 'they are open after all' },
    })
    expect(await readRun(call, cut.run_id)).toMatchObject({ undone_by: expect.any(Number) })
  }, 240_000)

  test('a dry run shows what it would write, and a run that changed nothing says why', async () => {
    const { page } = desk()
    const text = snapshotText(companies(7001, 7003, { registrar: 'Sikkim' }))
    const dry = await takenIn(desk(), 'dry.csv', text, { dry_run: true })
    await page.goto(`/console/runs/${dry.run_id}`)
    await page.getByRole('status').getByText('previewed', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Some that would be new', exact: true }).waitFor()
    await page.getByText(cinOf(7001)).first().waitFor()

    await takenIn(desk(), 'first.csv', text)
    const again = await takenIn(desk(), 'again.csv', text, { force: true })
    await page.goto(`/console/runs/${again.run_id}`)
    await page.getByText('Nothing changed: all 3 rows say what the register holds already.').waitFor()
  }, 240_000)

  test('columns that the form names are read as their fields, and so is the next file that has them', async () => {
    const { page, instance, call } = desk()
    const send = async (n: number, lines = '') => {
      const file = join(instance.home.dataDir, `firms-${n}.csv`)
      writeFileSync(file, `Firm No,Firm\n${cinOf(n)},KONKAN ${n} LIMITED\n`)
      await page.goto('/console/import?source=mca-companies')
      await page.getByLabel('File of this machine', { exact: true }).setInputFiles(file)
      await page.getByLabel('Columns with other names (optional)', { exact: true }).fill(lines)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
    }
    await send(7501, 'Firm No=ident\nFirm = name')
    await page.getByRole('alert').getByText('has no field "ident" for the column "Firm No". Fields: id, name').waitFor()
    for (const [n, lines] of [
      [7501, 'Firm No=id\n\nFirm = name\n'],
      [7502, ''],
    ] as const) {
      await send(n, lines)
      await page.waitForURL(/\/runs\/\d+$/)
      await page.getByRole('status').getByText('succeeded', { exact: true }).waitFor()
      const run = await call<object>(`/admin/ingest/runs/${page.url().split('/').at(-1)}`)
      expect(run).toMatchObject({ inserted: 1, column_map: { 'Firm No': 'id', Firm: 'name' } })
    }
  }, 240_000)

  test('a run at work is stopped: the page says so, the audit log names who stopped it, and its file can be imported again', async () => {
    const { page, press, call, told } = desk()
    const text = snapshotText(companies(6001, 6040, { registrar: 'Lakshadweep' }))
    const server = await serveFile(Buffer.from(text))
    // The file stops coming in the middle, and its server says nothing more.
    server.faults.push({ stopAfter: 200 })
    const source = { source: 'mca-companies', address: server.url }
    const { run_id: id } = await call<Run>('/admin/ingest/runs', source)
    await page.goto(`/console/runs/${id}`)
    await page.getByRole('status').getByText('fetching', { exact: true }).waitFor()
    await press(page, 'Stop')
    await page.getByRole('status').getByText('cancelled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
    await page.getByText('0 rows read').waitFor()
    expect(await told('cancel run')).toMatchObject({ subject: `${id}` })
    expect(await readRun(call, id)).toMatchObject({ status: 'cancelled', inserted: 0, error: { code: 'CANCELLED' } })

    const { run_id: again } = await call<Run>('/admin/ingest/runs', source)
    await expect.poll(async () => (await readRun(call, again)).status, patience).toBe('succeeded')
    expect(await readRun(call, again)).toMatchObject({ inserted: 40 })
  }, 240_000)
}
