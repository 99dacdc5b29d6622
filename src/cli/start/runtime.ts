/** The long-running parts of one process: worker, scheduler and HTTP API; and the sandboxes in a child process. */

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { fetchBounds } from '../../../config/input-bounds.ts'
import { schedules } from '../../../config/schedules.ts'
import { buildJobs } from '../../../jobs/index.ts'
import { createDrain, type Drain } from '../../api/drain.ts'
import { buildServer } from '../../api/server.ts'
import { Stopped } from '../../domain/stopped.ts'
import { sealedSchedules } from '../../ingest/run/source-address.ts'
import type { PaymentProcessor } from '../../orders/payments/processor.ts'
import { razorpay } from '../../orders/payments/razorpay.ts'
import type { QueueHandle } from '../../queue/queue.ts'
import { startScheduler } from '../../queue/schedule/scheduler.ts'
import { startWorker } from '../../queue/worker.ts'
import { logCrmCalls } from '../../telemetry/crm-calls.ts'
import { startTracing } from '../../telemetry/tracing.ts'
import { listening } from '../faults/listen-fault.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { openQueue } from '../instance/open-queue.ts'
import { requireOwner } from '../instance/scheduled-backup.ts'
import { operatorTokenOf } from '../instance/secrets.ts'
import { jobOptionsOf } from '../instance/with-worker.ts'
import type { CommandContext, SandboxServer } from '../settings.ts'
import { buildId, panjiVersion } from '../version.ts'
import { keepSandboxPayments, paymentSettings, sendNoticesTo } from './payment-settings.ts'
import { type ApiPools, openApiPools, openTradePool } from './pools.ts'
import { startProbe } from './probe.ts'
import { checkJobRights, checkRights } from './rights.ts'
import type { Role } from './role.ts'
import { sandboxRecordsIn } from './sample-file.ts'
import { stopAll } from './stop-all.ts'

export interface Runtime {
  readonly queue: QueueHandle
  /** Address of the API, `http://127.0.0.1:8080`; undefined when this process has none. */
  readonly apiUrl: string | undefined
  /** URL of `/healthz`, `/readyz` and `/metrics` without an API; undefined when no probe port is configured. */
  readonly probeUrl: string | undefined
  readonly sandboxes: SandboxServer | undefined
  /** Payment page of the sample world. */
  readonly payPage: string | undefined
  /** Stops taking work, lets requests and jobs finish, then closes. */
  stop(): Promise<void>
}

export interface RuntimeOptions {
  readonly role: Role
  /** Only the sample world runs the sandbox CRMs. */
  readonly withSandboxes: boolean
}

export async function startRuntime(
  context: CommandContext,
  instance: OpenInstance,
  { role, withSandboxes }: RuntimeOptions,
): Promise<Runtime> {
  const { settings, log } = context
  const has = (wanted: Role) => role === 'all' || role === wanted
  const queue = await openQueue(context, instance, has('worker'))
  const silence = logCrmCalls(log)
  // In this order: connections are refused, then no more work is taken, and last whatever both need is closed.
  const [listeners, work, rest]: [Stops, Stops, Stops] = [[], [], [() => queue.stop(), async () => silence()]]
  const stop = () => stopAll([...listeners, ...work, ...rest])
  try {
    if (settings.tracesTo !== undefined) {
      const build = { version: panjiVersion(), build: buildId() }
      const tracing = await startTracing({ endpoint: settings.tracesTo, ...build, role, log })
      rest.push(() => tracing.stop())
    }
    let sandboxes: SandboxServer | undefined
    if (role === 'all' && withSandboxes) {
      const port = settings.sandboxPort
      const snapshotFile = sandboxRecordsIn(settings.dataDir)
      const started = await listening({ host: '127.0.0.1', port, portName: 'PANJI_SANDBOX_PORT' }, () =>
        context.startSandboxProcess({ port, snapshotFile }),
      )
      sandboxes = started
      keepSandboxPayments(settings, started)
      rest.push(() => started.close())
    }
    // From the environment, or from the sandbox that has just started.
    const payments = sandboxes || settings.razorpay ? paymentSettings(settings) : undefined
    const processor = payments ? razorpay(payments) : undefined
    const takeJobs = has('worker') ? await readyWorker(context, instance, { queue, processor, rest }) : undefined
    let apiUrl: string | undefined
    if (has('api')) {
      const pools = openApiPools(context, instance)
      listeners.unshift(...pools.closes)
      await checkRights(pools.db, 'panji_api')
      const drain = createDrain()
      const server = await startApi(context, instance, queue, { ...pools, processor, role, sandboxes, drain })
      apiUrl = server.listeningOrigin
      listeners.unshift(async () => {
        drain.begin()
        await delay((settings.drainSeconds ?? usualDrainSeconds(role)) * 1000)
        await server.close()
      })
      if (sandboxes) await sendNoticesTo(apiUrl, sandboxes)
    }
    const payPage = sandboxes && !settings.razorpay && payments ? `${payments.baseUrl}/pay` : undefined
    let probeUrl: string | undefined
    if (!has('api') && settings.probe.port !== undefined) {
      const probe = await startProbe(context, instance, role, settings.probe.port)
      probeUrl = probe.url
      listeners.unshift(() => probe.close())
    }
    // Started last: a process that finds its port in use has no work to stop.
    if (takeJobs) work.unshift(await takeJobs())
    if (has('scheduler')) {
      const scheduler = await startScheduler({
        db: instance.workerDb,
        queue,
        log,
        schedules: await sealedSchedules(instance.db, schedules, instance.secretKey),
      })
      work.unshift(() => scheduler.stop())
    }
    return { queue, apiUrl, probeUrl, sandboxes, payPage, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Stops = (() => Promise<unknown>)[]

interface WorkerParts {
  readonly queue: QueueHandle
  readonly processor: PaymentProcessor | undefined
  /** Collects what must be closed after the worker. */
  readonly rest: Stops
}

/** @returns a function that starts taking jobs and returns one that stops it. */
async function readyWorker(
  context: CommandContext,
  instance: OpenInstance,
  { queue, processor, rest }: WorkerParts,
): Promise<() => Promise<() => Promise<unknown>>> {
  const { settings, log } = context
  const tradeDb = openTradePool(context, instance)
  if (tradeDb) rest.push(() => tradeDb.close())
  await checkJobRights(context, instance, tradeDb)
  if (settings.backups.dir !== undefined) await requireOwner(instance.db)
  const settling = processor && tradeDb && { processor, db: tradeDb }
  const jobs = buildJobs({ ...jobOptionsOf(context, instance), queue, tradeDb, payments: settling })
  return async () => {
    const stopping = new AbortController()
    const worker = await startWorker({ db: instance.workerDb, queue, jobs, log, signal: stopping.signal })
    return async () => {
      stopping.abort(new Stopped('Panji is stopping.'))
      await worker.stop()
    }
  }
}

/** Behind a proxy, other servers take over while one drains; a process that does everything is alone. */
const usualDrainSeconds = (role: Role): number => (role === 'api' ? 5 : 0)

interface ApiParts {
  readonly drain: Drain
  readonly processor: PaymentProcessor | undefined
  readonly role: Role
  readonly sandboxes: SandboxServer | undefined
}

async function startApi(
  context: CommandContext,
  instance: OpenInstance,
  queue: QueueHandle,
  { db, registers, expensiveDb, readinessDb, standbys, processor, role, sandboxes, drain }: ApiPools & ApiParts,
): Promise<FastifyInstance> {
  const { settings, log } = context
  const server = await buildServer({
    db,
    registers,
    ...(standbys && { standbys }),
    drain,
    expensiveReads: { db: expensiveDb, places: settings.connections.expensiveReads },
    queue,
    log,
    settings: {
      leadSource: settings.leadSource,
      onlineLabel: settings.onlineLabel,
      allowPrivateSources: settings.allowPrivateSources,
      payments: processor,
      signInLinks: settings.smtp !== undefined && settings.connect.publicUrl !== undefined,
      oidc: settings.oidc,
      sandboxPages: sandboxes,
    },
    connectors: context.connectors,
    connect: settings.connect,
    intake: { dataDir: settings.dataDir, fileBytesMax: settings.fetchBounds.fileBytesMax ?? fetchBounds.fileBytesMax },
    secretKey: instance.secretKey,
    operatorToken: operatorTokenOf(settings),
    operators: settings.operators,
    metricsToken: settings.metricsToken,
    corsOrigins: settings.corsOrigins,
    trustedProxies: settings.trustedProxies,
    readinessDb,
    documentAtStart: true,
    http: { connectionsMax: settings.connectionsMax },
    securityContact: settings.securityContact,
    build: { version: panjiVersion(), build: buildId(), role },
  })
  const { host, port } = settings
  try {
    await listening({ host, port, portName: 'PORT', hostName: 'HOST' }, () => server.listen({ host, port }))
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}
