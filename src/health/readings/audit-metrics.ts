/**
 * Whether the audit log is intact and still growing. The head of the last verification is a label, so that a stored
 * series is evidence.
 */
import { Gauge, type Registry } from 'prom-client'
import { auditLogState } from '../../audit/prove-audit-log.ts'
import type { Tx } from '../../db/db.ts'

export type AuditLogMetrics = ReturnType<typeof auditLogMetrics>

export function auditLogMetrics(registers: Registry[]) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers })
  return {
    places: gauge('panji_audit_chain_places', 'Places in the chain of the audit log; it only grows.', []),
    unsealed: gauge(
      'panji_audit_unsealed_age_seconds',
      'Age of the oldest row behind the newest seal; 0 without one.',
      [],
    ),
    broken: gauge('panji_audit_broken', '1 when the last verification found the chain broken.', []),
    verified: gauge(
      'panji_audit_verified_age_seconds',
      'Time since the chain was last verified whole or found broken.',
      [],
    ),
    proved: gauge('panji_audit_proved_place', 'Place of the newest seal at the last verification, by its hash.', [
      'hash',
    ]),
  }
}

export function resetAuditLogMetrics(metrics: AuditLogMetrics): void {
  for (const gauge of [metrics.places, metrics.unsealed, metrics.broken, metrics.verified]) gauge.remove()
  metrics.proved.reset()
}

export async function setAuditLogMetrics(tx: Tx, metrics: AuditLogMetrics): Promise<void> {
  const { head, unsealedSeconds, proof } = await auditLogState(tx)
  metrics.places.set(head.seq)
  metrics.unsealed.set(Math.max(0, unsealedSeconds ?? 0))
  if (!proof) return
  metrics.broken.set(proof.fault === null ? 0 : 1)
  metrics.verified.set((Date.now() - proof.provedAt.getTime()) / 1000)
  metrics.proved.set({ hash: proof.head.hash }, proof.head.seq)
}
