/** The customer: requests details at a fixed rate, while a load balancer calls /readyz every 100 ms. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Paced, paceCalls } from '../ingest/paced-calls.ts'
import type { TargetServer } from '../server-thread.ts'

const perSecond = 50
const readyPerSecond = 10

export interface Customer {
  readonly details: Paced
  readonly ready: Paced
  /** Answers to either other than 200, by kind: there should be none. */
  readonly others: Readonly<Record<string, number>>
}

export async function askForDetails(server: TargetServer, cins: readonly string[], seconds: number): Promise<Customer> {
  const { origin, callers } = server
  const over = delay(seconds * 1000)
  const path = (n: number) => `/api/company/details?cin=${cins[(n * 7919) % cins.length]}`
  const others: Record<string, number> = {}
  const count = (answer: string) => {
    const what = answer.slice(0, 120)
    others[what] = (others[what] ?? 0) + 1
  }
  const [details, ready] = await Promise.all([
    paceCalls({ origin, callers: callers.slice(0, 1), perSecond, path }, over, count),
    paceCalls({ origin, callers: [], perSecond: readyPerSecond, path: () => '/readyz' }, over, count),
  ])
  return { details, ready, others }
}
