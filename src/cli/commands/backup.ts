/** `panji backup FILE`: everything that an instance needs to stand again, in one file, while it runs. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeBackup } from '../../backup/write-backup.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../../trail/audit.ts'
import { keptFiles } from '../instance/kept-files.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { panjiVersion } from '../version.ts'
import type { Declare } from './command.ts'

export const declareBackup: Declare = (program, run) => {
  program
    .command('backup')
    .description('write everything that an instance needs to stand again into one file, while it runs')
    .argument('<file>', 'for example panji-2026-11-21.tar.gz; it holds the keys, so keep it safe')
    .option('--overwrite', 'replace a file of that name')
    .action((file: string, options: { readonly overwrite?: boolean }) =>
      run((context) => backup(context, resolve(file), options.overwrite ?? false)),
    )
}

async function backup(context: CommandContext, path: string, overwrite: boolean): Promise<void> {
  if (existsSync(path) && !overwrite)
    throw new AppError('BACKUP_REFUSED', `${path} is there already. Name another file, or say --overwrite.`)
  const { databaseUrl, dataDir } = context.settings
  await withInstance(context, 'backup', async ({ db }) => {
    await db.transaction((tx) => audit(tx, { actor: 'operator', action: 'back up', subject: 'instance' }))
    const files = keptFiles(dataDir, databaseUrl === undefined)
    const progress = context.out.progress('rows')
    try {
      const source = { db, version: panjiVersion(), files }
      const { tables, taken_at, ...manifest } = await writeBackup(source, path, (rows) =>
        progress.update('copying', rows, 0),
      )
      context.out.answer(
        {
          file: path,
          bytes: statSync(path).size,
          taken_at,
          tables: tables.length,
          rows: tables.reduce((sum, { rows }) => sum + rows, 0),
          files: manifest.files.length,
          verified: true,
        },
        fields,
      )
    } finally {
      progress.end()
    }
  })
}
