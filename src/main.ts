/** The process: its signals, its streams and its exit code around one run of the program. */
import { fileReason } from './cli/faults/system-fault.ts'
import { runProgram } from './cli/program.ts'
import { commandContext } from './composition.ts'
import { Stopped } from './domain/stopped.ts'

// Files that Panji writes are for its own user, unless a step says otherwise.
process.umask(0o077)

const stopping = new AbortController()
/** A wrapper (`bin/panji.mjs`, npm) passes on what the terminal has sent to all of them: the same signal, at once. */
const passedOnMs = 500
let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
function stopBy(signal: NodeJS.Signals, at: number): void {
  first = { signal, at }
  stopping.abort(new Stopped(`Stopped by ${signal}.`))
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const at = performance.now()
    if (first === undefined) {
      stopBy(signal, at)
    } else if (signal !== first.signal || at - first.at > passedOnMs) {
      // A second signal ends the process at once.
      process.exit(130)
    }
  })
}

// A supervisor only signals npm: the shell between npm and Panji dies of that signal and does not pass it on.
if (process.env['npm_lifecycle_event']) {
  const starter = process.ppid
  setInterval(() => {
    if (process.ppid !== starter && first === undefined) stopBy('SIGTERM', performance.now())
  }, 1_000).unref()
}

// The reader of the output may close it early (`panji runs | head`), and the disk under it may be full: the work
// continues without output. Truncated output that somebody expects in full shows in the exit code.
let refusal: NodeJS.ErrnoException | undefined
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') refusal ??= error
})
process.on('exit', () => {
  if (!refusal) return
  process.stderr.write(
    `panji: The output is incomplete, because standard output could not be written: ${fileReason(refusal)}.\n`,
  )
  process.exitCode ||= 1
})

const { env, stdout, stderr } = process
const stdin = () => process.stdin
const { signal } = stopping
process.exitCode = await runProgram(process.argv.slice(2), {
  stdout,
  stderr,
  contextOf: (json) => commandContext({ env, stdin, stdout, stderr, signal }, json),
})
