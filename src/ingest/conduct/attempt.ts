/** One attempt at a run: what its steps share, and how long each took. */
import type { RunDependencies } from '../run/run-dependencies.ts'
import type { RunLease } from '../run/run-lease.ts'
import { secondsSince } from './run-report.ts'

export class Attempt {
  readonly deps: RunDependencies
  readonly lease: RunLease
  /** By step. */
  readonly seconds: Record<string, number> = {}
  readonly #started = performance.now()

  constructor(deps: RunDependencies, lease: RunLease) {
    this.deps = deps
    this.lease = lease
  }

  async timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const result = await work()
    this.seconds[step] = secondsSince(started)
    this.deps.log.debug({ runId: this.lease.runId, step, seconds: this.seconds[step] }, 'ingest step done')
    return result
  }

  /** The end of a run, as its row records it. */
  ending() {
    return { finished_at: new Date(), seconds: secondsSince(this.#started) }
  }

  /** Reports the attempt's progress to a test of faults. */
  async reached(point: string): Promise<void> {
    await this.deps.reached?.(point)
  }
}
