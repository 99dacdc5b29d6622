/**
 * write-backup writes a backup to the folder PANJI_BACKUP_DIR, and does nothing if it is unset. Each run writes another
 * backup.
 */
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export interface BackupJobOptions {
  /** Undefined if no folder is set. */
  readonly writeBackup?: ((signal: AbortSignal) => Promise<object>) | undefined
}

export const writeBackupJob = ({ writeBackup }: BackupJobOptions) =>
  defineJob(queues.writeBackup, async (_, { signal }) => (writeBackup ? writeBackup(signal) : { file: null }))
