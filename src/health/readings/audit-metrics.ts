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
    places: gauge('panji_audit_chain_places', "Length of the audit log's hash chain; only grows.", []),
    unsealed: gauge(
      'panji_audit_unsealed_age_seconds',
      'Age of the oldest unsealed row of the audit log; 0 if there is none.',
      [],
    ),
    broken: gauge('panji_audit_broken', "1 if the last verification found the audit log's hash chain broken.", []),
    verified: gauge(
      'panji_audit_verified_age_seconds',
      "Time since the audit log's hash chain was last verified, intact or broken.",
      [],
    ),
    proved: gauge('panji_audit_proved_place', 'Position of the newest seal at the last verification, by its hash.', [
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
