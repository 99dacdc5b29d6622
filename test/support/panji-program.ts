/**
 * Runs the program in this process, with its own environment and streams: output and effects of a command, without the
 * seconds that a process takes to start. Signals, the working folder and the umask need a real child process, see
 * panji-cli.ts.
 */
import { Readable, Writable } from 'node:stream'
import { runProgram } from '../../src/cli/program.ts'
import type { Keyboard } from '../../src/cli/settings.ts'
import { commandContext } from '../../src/composition.ts'

export interface ProgramOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface PanjiProgram {
  run(...parameters: string[]): Promise<ProgramOutcome>
  /** With --json, its answer parsed. */
  json(...parameters: string[]): Promise<{ readonly code: number; readonly answer: unknown; readonly stderr: string }>
}

/** @param signal aborts, like Ctrl-C. @param keyboard makes standard input and standard error a terminal. */
export async function runPanji(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal = new AbortController().signal,
  keyboard?: Keyboard,
): Promise<ProgramOutcome> {
  const [stdout, stderr] = [new Sink(), new Sink(keyboard !== undefined)]
  const streams = { stdout: stdout.asStream(), stderr: stderr.asStream() }
  const stdin = () => keyboard ?? Readable.from([])
  const code = await runProgram(parameters, {
    ...streams,
    contextOf: (json) => commandContext({ env, ...streams, stdin, signal }, json),
  })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

export function panjiProgram(env: Readonly<Record<string, string>>): PanjiProgram {
  const variables = { PORT: '0', PANJI_SANDBOX_PORT: '0', LOG_LEVEL: 'warn', ...env }
  const run = (...parameters: string[]) => runPanji(parameters, variables)
  return {
    run,
    async json(...parameters) {
      const { code, stdout, stderr } = await run(...parameters, '--json')
      return { code, answer: stdout.trim() === '' ? undefined : JSON.parse(stdout), stderr }
    },
  }
}

/** A stream like a pipe, or like a terminal. */
class Sink extends Writable {
  text = ''
  readonly isTTY: boolean

  constructor(isTTY = false) {
    super()
    this.isTTY = isTTY
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }

  asStream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream
  }
}
