/**
 * CPU time of this thread in milliseconds: the time that work takes from the event loop, unaffected by other
 * processes of the machine.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
