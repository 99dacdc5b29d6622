/** The script of failures: each entry strikes the next calls that match it. */
import type { SandboxFault } from '../../sandbox-contract.ts'
import type { WireAnswer } from './errors.ts'

interface Scripted {
  readonly fault: SandboxFault
  left: number
}

/** Faults that only make sense where something was written; without `match` they wait for such a call. */
const needsCommit = new Set<SandboxFault['kind']>(['timeout_after_commit', 'reset_after_commit', 'omit_rows'])

export class FaultScript {
  #script: Scripted[] = []

  add(fault: SandboxFault): void {
    this.#script.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#script = []
  }

  /** @returns the first fault that matches, used up by one. */
  take(method: string, path: string): SandboxFault | undefined {
    const call = `${method} ${path}`
    const hit = this.#script.find(({ fault }) =>
      call.includes(fault.match ?? (needsCommit.has(fault.kind) ? '/batch/upsert' : '')),
    )
    if (hit === undefined) return undefined
    hit.left -= 1
    if (hit.left <= 0) this.#script = this.#script.filter((scripted) => scripted !== hit)
    return hit.fault
  }
}

/** The row was written, and the answer keeps silent about it. */
export function withoutLastRow(answer: WireAnswer): WireAnswer {
  const { body } = answer
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results)) return answer
  return { ...answer, body: { ...body, results: body.results.slice(0, -1) } }
}
