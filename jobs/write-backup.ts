/**
 * write-backup writes a backup into the folder that PANJI_BACKUP_DIR names; without one there is nothing to do. Repeated, it
 * writes another.
 */
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export interface BackupJobOptions {
  /** Undefined where no folder is named. */
  readonly writeBackup?: (() => Promise<object>) | undefined
}

export const writeBackupJob = ({ writeBackup }: BackupJobOptions) =>
  defineJob(queues.writeBackup, async () => (writeBackup ? writeBackup() : { file: null }))
