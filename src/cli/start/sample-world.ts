/**
 * The sample world: generated snapshots ingested, feeds counted, a demo account with plan, entitlements and credits, an
 * order placed over HTTP and its leads delivered to every sandbox CRM. All of it takes the real path.
 *
 * Each part is skipped when it already exists, so the next start completes one that was interrupted.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { generateSnapshots } from '../../../sample/generate-snapshots.ts'
import { generateReferenceSnapshots } from '../../../sample/reference-snapshots.ts'
import { requestRun } from '../../ingest/run/request-run.ts'
import { getRun, type RunRecord } from '../../ingest/run/runs.ts'
import { sampleRequester } from '../../ingest/run/sample-world.ts'
import { isAtRest } from '../../ingest/run/transitions.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext, SandboxServer } from '../settings.ts'
import { createDemoAccount } from './demo-account.ts'
import { deliverToSandboxes, renewDemoSettings } from './demo-delivery.ts'
import { placeDemoOrder } from './demo-order.ts'
import { placeDemoStanding } from './demo-standing.ts'
import type { Runtime } from './runtime.ts'
import { forgetSample, keepSampleFile, readSampleFile, sampleSnapshotsIn } from './sample-file.ts'

export interface SampleWorld {
  readonly api_key: string
  readonly user_id: string
  readonly order_id: string
  /** A company of the sample, for the example calls. */
  readonly cin: string
  readonly sandbox_records: Readonly<Record<string, number>>
}

const size = { companies: 3_000, gst: 3_000, directors: 3_000, seed: 2026 }

/** true where there is already a sample world, or the embedded database is empty. */
export async function wantsSampleWorld(context: CommandContext, instance: OpenInstance): Promise<boolean> {
  if (!instance.lock || context.settings.sample === 'off') return false
  const file = readSampleFile(context.settings.dataDir)
  if (file?.removed) forgetSample(context.settings.dataDir)
  return file ? file.removed !== true : isEmpty(instance)
}

/** @returns undefined where no sample world is wanted; then no sandbox runs. */
export async function ensureSampleWorld(
  context: CommandContext,
  instance: OpenInstance,
  runtime: Runtime,
): Promise<SampleWorld | undefined> {
  const { apiUrl, sandboxes } = runtime
  if (!apiUrl || !sandboxes) return undefined
  const { dataDir } = context.settings
  let file = readSampleFile(dataDir) ?? {}
  if (!file.account) {
    context.out.note('The database is empty: loading the sample world (PANJI_SAMPLE=off starts empty).')
    file = keepSampleFile(dataDir, { ...file, account: await createDemoAccount(instance) })
  }
  const { account } = file
  if (!account) throw new Error('the demo account was not kept')
  await renewDemoSettings(context, instance, runtime, account.userId)
  if (!file.orderId || !file.cin) {
    await ingestSample(context, instance, runtime)
    context.out.note('Placing the sample order …')
    const { orderId, cin } = await placeDemoOrder(instance.db, apiUrl, account)
    context.out.note('Delivering its leads to the sandbox CRMs …')
    await deliverToSandboxes(context, instance, runtime, { ...account, orderId })
    file = keepSampleFile(dataDir, { ...file, account, orderId, cin })
  }
  await placeDemoStanding(context, instance, account.userId)
  const { orderId = '', cin = '' } = file
  return {
    api_key: account.apiKey,
    user_id: account.userId,
    order_id: orderId,
    cin,
    sandbox_records: await countRecords(sandboxes),
  }
}

async function isEmpty({ db }: OpenInstance): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM ingest.run UNION ALL SELECT 1 FROM access.account LIMIT 1')
  return rows.length === 0
}

async function ingestSample(context: CommandContext, instance: OpenInstance, runtime: Runtime): Promise<void> {
  const outDir = sampleSnapshotsIn(context.settings.dataDir)
  context.out.note("Generating snapshots in the registries' own formats …")
  // Districts and industries are looked up while the registers are read, so their lists come first.
  const reference = await generateReferenceSnapshots(outDir, context.signal)
  await ingestAll(context, instance, runtime, reference.files)
  const registers = await generateSnapshots({ ...size, outDir, signal: context.signal })
  await ingestAll(context, instance, runtime, registers.files)
}

async function ingestAll(
  context: CommandContext,
  { db }: OpenInstance,
  { queue }: Runtime,
  files: readonly { readonly source: string; readonly path: string }[],
): Promise<void> {
  const runs: { source: string; runId: number }[] = []
  for (const { source, path } of files) {
    const request = { source, input: path, requestedBy: sampleRequester }
    runs.push({ source, ...(await db.transaction((tx) => requestRun(tx, queue, request))) })
  }
  for (const { source, runId } of runs) {
    const record = await untilDone(context, db, runId)
    if (record.status !== 'succeeded' && record.status !== 'no_op') {
      throw new Error(
        `the sample of ${source} ended as ${record.status}: ${record.error?.message ?? 'no reason given'}`,
      )
    }
    const { rows_read: read, inserted, rejected } = record
    context.out.note(`Ingested ${source}: ${read} rows read, ${inserted} inserted, ${rejected} rejected.`)
  }
}

async function untilDone(context: CommandContext, db: OpenInstance['db'], runId: number): Promise<RunRecord> {
  for (;;) {
    const record = await getRun(db, runId)
    if (isAtRest(record.status)) return record
    await delay(100, undefined, { signal: context.signal })
  }
}

async function countRecords({ crms, controlUrl, controlToken }: SandboxServer): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const crm of crms) {
    const headers = { authorization: `Bearer ${controlToken}` }
    const response = await fetch(`${controlUrl}/records?crm=${crm}`, { headers })
    counts[crm] = ((await response.json()) as unknown[]).length
  }
  return counts
}
