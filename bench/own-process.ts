/**
 * Parts of a bench in processes of their own: the measured server and its attackers share no event loop with the
 * measuring caller, and each reports its processor time.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** The interface that a bench module exports for it. */
export interface Part {
  /** Sent once it is set up. */
  readonly setup: unknown
  /** Starts its work, where it waits for a signal. */
  begin?(): void
  /** Stops it. @returns its report. */
  stop(): Promise<unknown>
  /** Reported on request, with the processor time. */
  usage?(): unknown
}

export type StartPart<Data> = (data: Data) => Promise<Part>

export interface Usage {
  /** Of the process, since its start. */
  readonly cpuSeconds: number
  readonly more: unknown
}

export interface RunningPart<Setup> {
  readonly setup: Setup
  readonly pid: number
  begin(): void
  usage(): Promise<Usage>
  stop(): Promise<unknown>
}

/** @param module exports `startPart`. */
export async function startApart<Setup>(
  module: URL,
  data: unknown,
  execArgv: readonly string[] = [],
): Promise<RunningPart<Setup>> {
  const child = fork(new URL(import.meta.url), [], { execArgv: [...execArgv], serialization: 'advanced' })
  child.send({ module: module.href, data })
  const setup = await nextOf(child, 'setup')
  const ask = async (word: 'usage' | 'stop') => {
    const answer = nextOf(child, word)
    child.send(word)
    return answer
  }
  return {
    setup: setup as Setup,
    pid: child.pid ?? 0,
    begin: () => void child.send('begin'),
    usage: async () => (await ask('usage')) as Usage,
    async stop() {
      const exited = once(child, 'exit')
      const last = await ask('stop')
      child.disconnect()
      await exited
      return last
    },
  }
}

function nextOf(child: ChildProcess, word: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const left = () => reject(new Error('a part of the bench ended by itself'))
    const hear = (message: unknown) => {
      const [about, value] = message as [string, unknown]
      if (about !== word) return
      child.off('message', hear)
      child.off('exit', left)
      resolve(value)
    }
    child.on('message', hear)
    child.once('exit', left)
  })
}

/** A child of a bench: the first message names its module. */
async function serve({ module, data }: { module: string; data: unknown }): Promise<void> {
  const { startPart } = (await import(module)) as { startPart: StartPart<unknown> }
  const part = await startPart(data)
  process.on('message', (word) => {
    if (word === 'begin') part.begin?.()
    if (word === 'usage') process.send?.(['usage', { cpuSeconds: cpuSeconds(), more: part.usage?.() ?? null }])
    if (word === 'stop') void part.stop().then((last) => process.send?.(['stop', last ?? null]))
  })
  process.once('disconnect', () => process.exit())
  process.send?.(['setup', part.setup])
}

export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

if (process.send && process.argv[1] === new URL(import.meta.url).pathname) {
  process.once('message', (first) => void serve(first as { module: string; data: unknown }))
}
