/** A process that restores into a data directory and kills itself at a boundary: no handler, no finally, no goodbye. */
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { restoreEmbedded } from '../../../src/cli/instance/restore/restore-embedded.ts'
import { commandContext } from '../../../src/composition.ts'

const [dataDir = '', path = '', strikeAt = '', force = ''] = process.argv.slice(2)
const { stdout, stderr } = process
const stdin = () => process.stdin
const env = { PANJI_DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
const context = await commandContext({ env, stdin, stdout, stderr, signal: new AbortController().signal }, true)
const manifest = await checkBackup(path)
await restoreEmbedded(
  context,
  {
    path,
    manifest,
    onRows: () => {},
    reached: async (point) => {
      if (point !== strikeAt) return
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    },
  },
  force === 'true',
)
process.exitCode = 3
