/** Enforces a process's limits from outside, where its input cannot interfere: memory, and time without output. */
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ParserBounds } from '../../../../config/input-bounds.ts'

export interface ProcessWatch {
  /** Passes on the process's output; its silence only counts while the consumer is waiting. */
  watched(output: Readable | null): AsyncGenerator<Buffer>
  /** Why it was ended; undefined if it ended on its own. */
  reason(): string | undefined
  end(): void
}

const checkEveryMs = 100

export function watchProcess(child: ChildProcess, bounds: ParserBounds): ProcessWatch {
  let reason: string | undefined
  const kill = (why: string) => {
    reason ??= why
    child.kill('SIGKILL')
  }
  child.on('error', (error) => kill(`its process could not be started (${error.message})`))
  // If memory runs out, the kernel ends the parser and not the worker. Linux only.
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
  const look = async () => {
    const bytes = await residentBytes(child.pid)
    if (bytes > bounds.memoryBytesMax) kill(`it took more than ${bounds.memoryBytesMax} bytes of memory`)
  }
  const memory = setInterval(() => void look(), checkEveryMs)
  memory.unref()

  async function* watched(output: Readable | null): AsyncGenerator<Buffer> {
    if (output === null) return
    const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    try {
      for (;;) {
        const silence = setTimeout(
          () => kill(`it was silent for more than ${bounds.silenceMsMax / 1000} s`),
          bounds.silenceMsMax,
        )
        const next: IteratorResult<Buffer, unknown> = await chunks.next().finally(() => clearTimeout(silence))
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await chunks.return?.()
    }
  }
  return { watched, reason: () => reason, end: () => clearInterval(memory) }
}

/** 0 if the process has ended or the system does not report it. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
