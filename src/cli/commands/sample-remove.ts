/** `panji sample remove`: removes the whole sample world and leaves an instance ready for the real files. */
import type { Command } from 'commander'
import { type ErasureReceipt, eraseAccount } from '../../access/erase-account.ts'
import { audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { type RemovedSample, removeSample } from '../../ingest/after/remove-sample.ts'
import { withQueue } from '../instance/with-worker.ts'
import { forgetSample, readSampleFile } from '../start/sample-file.ts'
import { prints, type RunAction } from './command.ts'
import { onInstance } from './on-instance.ts'

export interface RemovedWorld extends RemovedSample {
  /** null where the demo account is already gone. */
  readonly account: { readonly user_id: string; readonly erased: object; readonly kept: object } | null
}

export function declareSampleRemove(sample: Command, run: RunAction): void {
  sample
    .command('remove')
    .description('remove the sample world: its records, runs, account, destinations and files')
    .addHelpText('after', prints('{registers: {source: {removed, kept}}, runs, account}'))
    .action(() =>
      onInstance(run, 'sample remove', (instance, context) =>
        withQueue(context, instance, async (queue) => {
          const { dataDir } = context.settings
          const userId = readSampleFile(dataDir)?.account?.userId
          const removed = await instance.db.transaction(async (tx) => {
            const registers = await removeSample(tx, queue)
            const world: RemovedWorld = { ...registers, account: await removeAccount(tx, userId) }
            await audit(tx, {
              actor: 'operator',
              action: 'remove sample',
              subject: 'sample world',
              detail: { ...world },
            })
            return world
          })
          forgetSample(dataDir)
          context.out.answer(removed, removedText)
        }),
      ),
    )
}

async function removeAccount(tx: Tx, userId: string | undefined): Promise<RemovedWorld['account']> {
  const living = await tx.query('SELECT 1 FROM access.account WHERE account_id = $1::uuid AND erased_at IS NULL', [
    userId ?? null,
  ])
  if (userId === undefined || living.length === 0) return null
  const { erased, kept }: ErasureReceipt = await eraseAccount(tx, userId)
  return { user_id: userId, erased, kept }
}

function removedText({ registers, runs, account }: RemovedWorld): string {
  if (runs === 0 && account === null) return 'There is no sample world here.'
  const lines = Object.entries(registers).map(
    ([source, { removed, kept }]) =>
      `  ${source.padEnd(20)}${removed} records removed${kept > 0 ? `, ${kept} kept because a real snapshot confirmed them` : ''}`,
  )
  const books = account
    ? ' The demo account is erased; its order and its transfers stay in the ledger without a name.'
    : ''
  return `The sample world is gone (${runs} runs).${books}\n${lines.join('\n')}`
}
