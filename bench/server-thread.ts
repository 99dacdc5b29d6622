/** Runs one target server in a thread of its own, so that the loader does not share its event loop. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

export interface TargetServer {
  readonly origin: string
  /** Sent with every request, for example the bearer token. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a target module exports: starts its server on a free loopback port over the seeded database. */
export type StartTarget = (databaseUrl: string) => Promise<TargetServer>

interface ThreadData {
  readonly module: string
  readonly databaseUrl: string
}

export async function startInThread(
  module: URL,
  databaseUrl: string,
): Promise<TargetServer & { readonly stop: () => Promise<unknown> }> {
  const data: ThreadData = { module: module.href, databaseUrl }
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const server = await new Promise<TargetServer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { ...server, stop: () => worker.terminate() }
}

if (parentPort) {
  const { module, databaseUrl } = workerData as ThreadData
  const { startTarget } = (await import(module)) as { startTarget: StartTarget }
  parentPort.postMessage(await startTarget(databaseUrl))
}
