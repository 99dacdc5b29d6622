/** `panji start` as a process of its own against the experiment's database, and clients that keep asking it. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { createCustomer } from '../../support/api.ts'
import { type PanjiHome, panjiHome } from '../../support/panji-cli.ts'
import type { NodeProcess } from '../../support/run-node.ts'
import type { OwnDatabase } from './own-database.ts'
import { cinOf } from './snapshots.ts'

export interface Answer {
  /** Milliseconds since the epoch, of the request and of its answer. */
  readonly askedAt: number
  readonly answeredAt: number
  /** 0 where the connection to the API itself failed. */
  readonly status: number
  readonly retryAfter: string | null
}

export interface RunningPanji {
  readonly process: NodeProcess
  readonly apiUrl: string
  /** The path of what lies in its data folder. */
  file(name: string): string
  /** A customer of its own asks for a company's details again and again until `stop`; every answer is kept. */
  startAsking(pauseMs?: number): Promise<Client>
  /** One request of a customer. */
  ask(): Promise<Answer>
  /** Whether it says that it is ready. */
  readiness(): Promise<Answer>
  /** Runs a command beside it, in its data folder, to its end. */
  command(...parameters: string[]): ReturnType<PanjiHome['json']>
}

export interface Client {
  readonly answers: readonly Answer[]
  stop(): Promise<readonly Answer[]>
}

/** Call at the top of a file, after useOwnDatabase(). */
export function useRunningPanji(
  database: Pick<OwnDatabase, 'url' | 'db'>,
  role = 'all',
  more: () => Readonly<Record<string, string>> = () => ({}),
): RunningPanji {
  let panji: NodeProcess | undefined
  let apiUrl = ''
  let token = ''
  let home: PanjiHome | undefined

  beforeAll(async () => {
    home = panjiHome({
      DATABASE_URL: database.url,
      PANJI_SECRET_KEY: 'secret-key-of-the-faults-0123456789',
      PANJI_OPERATOR_TOKEN: 'operator-token-of-the-faults',
      ...more(),
    })
    panji = home.run('start', '--role', role)
    await panji.line('Ctrl-C stops.')
    apiUrl = /API\s+(http:\S+)/.exec(panji.printed())?.[1] ?? ''
    token = await logInNewCustomer()
  })
  afterAll(async () => {
    panji?.child.kill('SIGKILL')
    const ended = await panji?.ended
    home?.remove()
    // Node ends a process at the first rejection or error that nobody handles, and says so.
    expect(ended?.stderr ?? '').not.toMatch(/unhandled|uncaught|triggerUncaughtException/i)
  })

  async function logInNewCustomer(): Promise<string> {
    const { apiKey } = await createCustomer(database.db, { plan: 'premium' })
    const response = await fetch(`${apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    })
    const body = (await response.json()) as { token: { access_token: string } }
    return body.token.access_token
  }

  const askAs = (bearer: string) =>
    answerOf(`/api/company/details?cin=${cinOf(1)}`, { authorization: `Bearer ${bearer}` })

  async function answerOf(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const askedAt = Date.now()
    try {
      const response = await fetch(`${apiUrl}${path}`, { headers })
      await response.arrayBuffer()
      const retryAfter = response.headers.get('retry-after')
      return { askedAt, answeredAt: Date.now(), status: response.status, retryAfter }
    } catch {
      return { askedAt, answeredAt: Date.now(), status: 0, retryAfter: null }
    }
  }
  return {
    get process() {
      if (!panji) throw new Error('the process exists only inside tests and hooks')
      return panji
    },
    get apiUrl() {
      return apiUrl
    },
    file(name) {
      if (!home) throw new Error('the process exists only inside tests and hooks')
      return join(home.dataDir, name)
    },
    ask: () => askAs(token),
    readiness: () => answerOf('/readyz'),
    command(...parameters) {
      if (!home) throw new Error('the process exists only inside tests and hooks')
      return home.json(...parameters)
    },
    async startAsking(pauseMs = 150) {
      const bearer = await logInNewCustomer()
      const answers: Answer[] = []
      let stopped = false
      const asking = (async () => {
        while (!stopped) {
          answers.push(await askAs(bearer))
          // The pace of a client, not a wait for anything.
          await delay(pauseMs)
        }
      })()
      return {
        answers,
        async stop() {
          stopped = true
          await asking
          return answers
        },
      }
    },
  }
}

/** Answers beside 200, 304 and 404: a fault may make a 503 with Retry-After, and nothing else. */
export function expectOnlyShedding(answers: readonly Answer[]): void {
  const wrong = answers.filter(
    ({ status, retryAfter }) => ![200, 404].includes(status) && !(status === 503 && Number(retryAfter) > 0),
  )
  expect(wrong).toEqual([])
}

/** Waits until each client has had a good answer: the end of a run, which a test waits for beside it, may come before. */
export async function untilAnswered(clients: readonly Client[], since: number): Promise<void> {
  await vi.waitFor(
    () => {
      for (const client of clients) expect(recoveryMs(client.answers, since)).toBeDefined()
    },
    { timeout: 60_000, interval: 50 },
  )
}

/** Milliseconds from `since` to the end of the first good answer that was asked for after it. */
export function recoveryMs(answers: readonly Answer[], since: number): number | undefined {
  const good = answers.find(({ status, answeredAt }) => status < 500 && status > 0 && answeredAt >= since)
  return good && good.answeredAt - since
}
