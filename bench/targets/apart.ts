/** A target server as a part of a bench that runs in a process of its own, with the delays of its event loop. */
import { watchLoop } from '../loop-delay.ts'
import type { StartPart } from '../own-process.ts'
import type { StartTarget } from '../server-thread.ts'

interface Target {
  readonly target: string
  readonly databaseUrl: string
  readonly accounts: number
}

export const startPart: StartPart<Target> = async ({ target, databaseUrl, accounts }) => {
  const { startTarget } = (await import(`./${target}.ts`)) as { startTarget: StartTarget }
  const setup = await startTarget(databaseUrl, { accounts })
  const loop = watchLoop()
  return {
    setup,
    stop: async () => {},
    usage() {
      const delays = loop.read()
      loop.restart()
      return delays
    },
  }
}
