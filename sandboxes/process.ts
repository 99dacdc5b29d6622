/** Starts the sandbox CRMs in a process of their own and returns what it prints about itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { pagesUrl, recordUrl } from './pages/authenticator.ts'
import type { RunningSandboxes, SandboxServerOptions } from './server.ts'

// In the same folder and of the same kind: TypeScript in a checkout, JavaScript in a package.
const child = join(import.meta.dirname, `child${extname(import.meta.filename)}`)
const heapMiB = 256

const Refusal = z.object({ refused: z.string() })
const FirstLine = z.object({
  settings: z.record(z.string(), z.record(z.string(), z.unknown())),
  payments: z.object({ processor: z.string(), settings: z.record(z.string(), z.unknown()) }).optional(),
  control_url: z.string(),
  control_token: z.string(),
})

export async function startSandboxProcess({
  port,
  snapshotFile,
}: SandboxServerOptions): Promise<Omit<RunningSandboxes, 'baseUrl'>> {
  const compiled = getCompileCacheDir()
  // Node adds a folder of its version and flags to the one that it is given.
  const parameters = [String(port), snapshotFile ?? '', compiled === undefined ? '' : dirname(compiled)]
  const running = spawn(process.execPath, [`--max-old-space-size=${heapMiB}`, child, ...parameters], {
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(running, 'close')
  // If the child closes the input first, that is not a failure of the parent; `ended` reports it.
  running.stdin.on('error', () => {})
  const lines = createInterface({ input: running.stdout })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    ended.then(([code]) => {
      throw new Error(`the sandbox CRMs ended with ${code} at their start`)
    }),
  ])
  const refusal = Refusal.safeParse(JSON.parse(line))
  if (refusal.success) {
    const { refused: code } = refusal.data
    throw Object.assign(new Error(`the sandbox CRMs cannot listen on port ${port}: ${code}`), { code })
  }
  const { settings, payments, control_url: controlUrl, control_token: controlToken } = FirstLine.parse(JSON.parse(line))
  return {
    crms: Object.keys(settings),
    processor: payments?.processor,
    settings: (name) => (name === payments?.processor ? payments.settings : (settings[name] ?? {})),
    controlUrl,
    controlToken,
    pagesUrl: () => pagesUrl(controlUrl, controlToken),
    recordUrl: (address, all) => recordUrl(controlUrl, controlToken, address, all),
    async close() {
      running.stdin.end()
      await ended
    },
  }
}
