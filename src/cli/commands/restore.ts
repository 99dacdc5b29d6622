/** `panji restore FILE`: restores a backup into an empty data directory or an empty database. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { audit } from '../../audit/audit.ts'
import { checkBackup } from '../../backup/check-backup.ts'
import { eraseObjected } from '../../suppression/erase-objected.ts'
import { confirm } from '../confirm/confirm.ts'
import { type RestoreRequest, requireKnownVersion } from '../instance/restore/fill-database.ts'
import { restoreEmbedded } from '../instance/restore/restore-embedded.ts'
import { restoreExternal } from '../instance/restore/restore-external.ts'
import { whatStaysClosed } from '../instance/restore/what-stays-closed.ts'
import { runFilesOf } from '../instance/restore/write-files.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import type { Declare } from './command.ts'

export const declareRestore: Declare = (program, run) => {
  program
    .command('restore')
    .description(
      'restore an instance from a backup; the data directory, or the database of DATABASE_URL, must be empty',
    )
    .argument('<file>', 'file that `panji backup` wrote')
    .option('--force', 'move the instance in the data directory to before-restore-… first')
    .action((file: string, options: { readonly force?: boolean }) =>
      run(async (context) => {
        const { dataDir, databaseUrl } = context.settings
        if (options.force && !databaseUrl && existsSync(dataDir))
          await confirm(context, `The instance in ${dataDir} is moved aside, and ${file} replaces it.`)
        await restore(context, resolve(file), options.force ?? false)
      }),
    )
}

async function restore(context: CommandContext, path: string, force: boolean): Promise<void> {
  const progress = context.out.progress('rows')
  try {
    context.out.note('Checking the backup …')
    const manifest = await checkBackup(path, context.signal)
    requireKnownVersion(manifest)
    const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    const request: RestoreRequest = {
      path,
      manifest,
      onRows: (rows) => progress.update('restoring', rows, total),
      signal: context.signal,
    }
    const { databaseUrl } = context.settings
    const movedAside = databaseUrl
      ? await restoreExternal(databaseUrl.reveal(), context.settings, request)
      : await restoreEmbedded(context, request, force)
    progress.end()
    const { unreadable, advice } = await withInstance(context, 'restore', async ({ db, secretKey }) => {
      // Before anything is served, data is erased that people objected to after the backup.
      await eraseObjected(db, { again: true })
      const detail = { taken_at: manifest.taken_at, panji: manifest.panji }
      await db.transaction((tx) => audit(tx, { actor: 'operator', action: 'restore', subject: 'instance', detail }))
      return db.transaction((tx) => whatStaysClosed(tx, secretKey, context.settings, request))
    })
    const restored = {
      file: path,
      into: databaseUrl ? 'DATABASE_URL' : context.settings.dataDir,
      taken_at: manifest.taken_at,
      panji: manifest.panji,
      tables: manifest.tables.length,
      rows: total,
      files: (databaseUrl ? runFilesOf(manifest) : manifest.files).length,
      moved_aside: movedAside,
      verified: true,
      unreadable,
    }
    if (advice === undefined) context.out.answer(restored, fields)
    else failWith(context.out, restored, fields, { code: 'SECRET_KEY_WRONG', message: advice })
  } finally {
    progress.end()
  }
}
