/**
 * `panji backup FILE`: everything that an instance needs to stand again, in one file, while it runs. Without FILE it does what
 * the schedule does, which is how a timer of the machine writes them where no worker may.
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
    .description('write everything that an instance needs to stand again into one file, while it runs')
    .argument(
      '[file]',
      'for example panji-2026-11-21.tar.gz; it holds the keys, so keep it safe. Unset: a new one in PANJI_BACKUP_DIR, its restore tried where the login may, and the oldest there removed',
    )
    .option('--overwrite', 'replace a file of that name')
    .option(
      '--verify-restore',
      'restore it into a database beside the instance, compare every table, and drop that again',
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
        ...{ path, overwrite, verifyRestore, actor: 'operator' },
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
      'name a file: in PANJI_BACKUP_DIR nothing is replaced, and each restore is tried where the login may',
    )
  await withInstance(context, 'backup', async (instance) => {
    const write = scheduledBackup(instance, context.settings, 'operator')
    if (!write) throw new WrongUsage('name a file, or a folder in PANJI_BACKUP_DIR for one of each night')
    context.out.answer(await write(), fields)
  })
}
