/** Runs one target server in a thread of its own, so that the loader does not share its event loop. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

export interface TargetServer {
  readonly origin: string
  /** Headers of each caller, for example a bearer token; the loader uses them in turn. */
  readonly callers: readonly Readonly<Record<string, string>>[]
}

export interface TargetOptions {
  /** How many accounts share the load. */
  readonly accounts: number
}

/** The interface of a target module: starts its server on a free loopback port over the seeded database. */
export type StartTarget = (databaseUrl: string, options: TargetOptions) => Promise<TargetServer>

interface ThreadData {
  readonly module: string
  readonly databaseUrl: string
  readonly options: TargetOptions
}

export interface RunningTarget extends TargetServer {
  stop(): Promise<unknown>
}

export async function startInThread(
  module: URL,
  databaseUrl: string,
  options: TargetOptions = { accounts: 1 },
): Promise<RunningTarget> {
  const data: ThreadData = { module: module.href, databaseUrl, options }
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const server = await new Promise<TargetServer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { ...server, stop: () => worker.terminate() }
}

if (parentPort) {
  const { module, databaseUrl, options } = workerData as ThreadData
  const { startTarget } = (await import(module)) as { startTarget: StartTarget }
  parentPort.postMessage(await startTarget(databaseUrl, options))
}
