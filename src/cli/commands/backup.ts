/**
 * `panji backup FILE`: writes everything needed to restore an instance into one file, while it runs. Without FILE it
 * does what the schedule does, for a timer of the machine to use where no worker may write backups.
 */
import { resolve } from 'node:path'
import { backUp } from '../instance/back-up.ts'
import { scheduledBackup } from '../instance/scheduled-backup.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { Declare } from './command.ts'

interface BackupOptions {
  readonly overwrite?: boolean
  readonly verifyRestore?: boolean
}

export const declareBackup: Declare = (program, run) => {
  program
    .command('backup')
    .description('back up everything needed to restore the instance into one file, while it runs')
    .argument(
      '[file]',
      'for example panji-2026-11-21.tar.gz; it contains the keys, so keep it safe. By default a new file in PANJI_BACKUP_DIR: its restore is tested where the login may, and the oldest files there are removed',
    )
    .option('--overwrite', 'overwrite an existing file')
    .option(
      '--verify-restore',
      'test the restore in a database next to the instance, compare every table, and drop it again',
    )
    .action((file: string | undefined, options: BackupOptions) =>
      run((context) => (file === undefined ? nightly(context, options) : backup(context, resolve(file), options))),
    )
}

async function backup(
  context: CommandContext,
  path: string,
  { overwrite = false, verifyRestore = false }: BackupOptions,
): Promise<void> {
  await withInstance(context, 'backup', async (instance) => {
    const progress = context.out.progress('rows')
    try {
      const written = await backUp(instance, context.settings, {
        ...{ path, overwrite, verifyRestore, actor: 'operator', signal: context.signal },
        onRows: (what, rows, total) => progress.update(what, rows, total),
      })
      context.out.answer(written, fields)
    } finally {
      progress.end()
    }
  })
}

async function nightly(context: CommandContext, options: BackupOptions): Promise<void> {
  if (options.overwrite || options.verifyRestore)
    throw new WrongUsage(
      'name a file: in PANJI_BACKUP_DIR nothing is overwritten, and every restore is tested where the login may',
    )
  await withInstance(context, 'backup', async (instance) => {
    const write = scheduledBackup(instance, context.settings, 'operator')
    if (!write) throw new WrongUsage('name a file, or set PANJI_BACKUP_DIR to a folder for nightly backups')
    context.out.answer(await write(context.signal), fields)
  })
}
