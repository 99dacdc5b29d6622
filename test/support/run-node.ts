/** Runs a TypeScript file on this Node as a child process, for tests that kill or restart a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface NodeProcess {
  readonly child: ChildProcess
  /** Resolves with the first line of standard output that contains `text`; rejects if the process ends before. */
  line(text: string): Promise<string>
  /** Everything on standard output so far. */
  printed(): string
  /** Everything on standard error so far. */
  noted(): string
  /** Resolves with the exit code and everything printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

export function runNode(
  file: string,
  parameters: readonly string[] = [],
  env: Record<string, string> = {},
  cwd?: string,
): NodeProcess {
  const child = spawn(process.execPath, [file, ...parameters], {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const listeners = new Set<(line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout += `${line}\n`
    for (const listener of listeners) listener(line)
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return {
    child,
    ended,
    printed: () => stdout,
    noted: () => stderr,
    line: (text) => {
      const known = stdout.split('\n').find((line) => line.includes(text))
      if (known !== undefined) return Promise.resolve(known)
      const found = new Promise<string>((resolve) => {
        const listener = (line: string) => {
          if (!line.includes(text)) return
          listeners.delete(listener)
          resolve(line)
        }
        listeners.add(listener)
      })
      const tooEarly = ended.then(({ code }) => {
        throw new Error(`the process ended with ${code} before it printed "${text}":\n${stdout}${stderr}`)
      })
      return Promise.race([found, tooEarly])
    },
  }
}
