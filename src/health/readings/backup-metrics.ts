/** Age of the newest backup, and of the newest whose restore was tested: without a series there was none. */
import { Gauge, type Registry } from 'prom-client'
import { newestBackups } from '../../audit/newest-backup.ts'
import type { Tx } from '../../db/db.ts'

export type BackupMetrics = ReturnType<typeof backupMetrics>

export function backupMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  return {
    written: gauge('panji_backup_age_seconds', 'Time since a backup was last completed.'),
    restored: gauge('panji_backup_restored_age_seconds', 'Time since the restore of a backup was last tested.'),
  }
}

export function resetBackupMetrics(metrics: BackupMetrics): void {
  for (const gauge of Object.values(metrics)) gauge.remove()
}

export async function setBackupMetrics(tx: Tx, metrics: BackupMetrics): Promise<void> {
  const { written, restored } = await newestBackups(tx)
  const ageOf = ({ finishedAt }: { readonly finishedAt: Date }) => Math.max(0, Date.now() - finishedAt.getTime()) / 1000
  if (written) metrics.written.set(ageOf(written))
  if (restored) metrics.restored.set(ageOf(restored))
}
