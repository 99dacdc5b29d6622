/** One part that fails to stop must not keep the others running; the first failure is reported. */
export async function stopAll(stops: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const stop of stops) await stop().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
