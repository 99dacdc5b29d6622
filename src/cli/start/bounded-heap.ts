/**
 * By default V8 keeps garbage until there is several times as much of it as of live data, and the young generation
 * grows up to 64 MiB while the program is loaded. A server shares its machine: it collects when a third as much has
 * accumulated, with two halves of 8 MiB for the young generation. A lead costs as much CPU with 16 MiB as with 64, and
 * half as much more with 2.
 */
export const heapFlags: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=30']

/**
 * Starts this process anew, with the same id, arguments and streams, unless it has the flags already. Once a process
 * runs, V8 no longer reads the limit of the young generation; one that was set by its growth alone would be lost at
 * the first quiet hour, when V8 shrinks it.
 *
 * A process that its parent talks to (`node --watch`) is left as it is, since it would lose that channel, and so is
 * one on Windows, which cannot replace a process.
 */
export function boundHeap(): void {
  const { argv, channel, env, execArgv, execPath, platform } = process
  if (channel || platform === 'win32' || heapFlags.every((flag) => execArgv.includes(flag))) return
  process.execve?.(execPath, [execPath, ...heapFlags, ...execArgv, ...argv.slice(1)], env)
}
