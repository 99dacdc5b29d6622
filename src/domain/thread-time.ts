/**
 * Processor time of this thread, in milliseconds: what a piece of work takes of the event loop, and not what other processes of the
 * machine take from it meanwhile.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
