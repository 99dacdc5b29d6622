/** Is the trail whole, and goes it on? The head of the last verification is a label, so that whoever keeps the series holds evidence. */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { trailState } from '../../trail/prove-trail.ts'

export type TrailMetrics = ReturnType<typeof trailMetrics>

export function trailMetrics(registers: Registry[]) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers })
  return {
    places: gauge('panji_trail_chain_places', 'Places in the chain of the trail; it only grows.', []),
    unsealed: gauge(
      'panji_trail_unsealed_age_seconds',
      'Age of the oldest row behind the newest seal; 0 without one.',
      [],
    ),
    broken: gauge('panji_trail_broken', '1 when the last verification found the chain broken.', []),
    verified: gauge(
      'panji_trail_verified_age_seconds',
      'Time since the chain was last verified whole or found broken.',
      [],
    ),
    proved: gauge('panji_trail_proved_place', 'Place of the newest seal at the last verification, by its hash.', [
      'hash',
    ]),
  }
}

export function resetTrailMetrics(metrics: TrailMetrics): void {
  for (const gauge of [metrics.places, metrics.unsealed, metrics.broken, metrics.verified]) gauge.remove()
  metrics.proved.reset()
}

export async function setTrailMetrics(tx: Tx, metrics: TrailMetrics): Promise<void> {
  const { head, unsealedSeconds, proof } = await trailState(tx)
  metrics.places.set(head.seq)
  metrics.unsealed.set(Math.max(0, unsealedSeconds ?? 0))
  if (!proof) return
  metrics.broken.set(proof.fault === null ? 0 : 1)
  metrics.verified.set((Date.now() - proof.provedAt.getTime()) / 1000)
  metrics.proved.set({ hash: proof.head.hash }, proof.head.seq)
}
