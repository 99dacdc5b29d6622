/** Starts processes that each run one run; the next one is made ready while the present one works. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ChildOrder, ChildReport } from './ingest-child.ts'

const script = fileURLToPath(new URL('ingest-child.ts', import.meta.url))

export interface IngestChild {
  readonly process: ChildProcess
  readonly ready: Promise<void>
  begin(order: ChildOrder): void
  /** Resolves when the process has said how its run ended, or is dead. */
  readonly done: Promise<void>
  /** How the run ended: its status or an error code; `killed` when the process was. */
  readonly outcome: Promise<string>
}

export function startIngestChild(connectionString: string, dataDir: string): IngestChild {
  const child = fork(script, [connectionString, dataDir], { stdio: 'inherit' })
  let outcome = 'killed'
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: ChildReport) => {
      if (message.kind === 'ready') resolve()
      else outcome = message.outcome
    })
    child.once('exit', () => reject(new Error('the process ended before it was ready')))
  })
  const done = new Promise<void>((resolve) => {
    child.on('message', (message: ChildReport) => {
      if (message.kind === 'ended') resolve()
    })
    child.once('exit', () => resolve())
  })
  // Whoever waits for it is told; one that nobody waits for was killed on purpose.
  ready.catch(() => {})
  return {
    process: child,
    ready,
    done,
    begin: (order) => child.send(order),
    outcome: once(child, 'exit').then(() => outcome),
  }
}

/** Hands out children one after the other; `next` is always being started. */
export class ChildSupply {
  readonly #start: () => IngestChild
  #next: IngestChild | undefined

  constructor(start: () => IngestChild) {
    this.#start = start
  }

  async take(): Promise<IngestChild> {
    const child = this.#next ?? this.#start()
    await child.ready
    this.#next = this.#start()
    return child
  }

  async close(): Promise<void> {
    this.#next?.process.kill('SIGKILL')
    await this.#next?.outcome
  }
}
