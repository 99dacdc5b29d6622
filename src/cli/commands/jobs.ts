/** `panji jobs dead|redrive|discard`: the jobs that failed for good, and the two ways out. */
import { discardDeadLetters, listDeadLetters, redriveDeadLetters, type Selection } from '../../queue/dead-letters.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'

export const declareJobs: Declare = (program, run) => {
  const jobs = program.command('jobs').description('jobs that failed for good')

  jobs
    .command('dead')
    .alias('list')
    .description('list them with the reason')
    .addHelpText('after', prints('[{job_id, queue, payload, code, message, attempts, failed_at}]'))
    .action(() => run(listDead))

  for (const [verb, act, description] of [
    ['redrive', redriveDeadLetters, 'run them again, with all their attempts'],
    ['discard', discardDeadLetters, 'drop them for good'],
  ] as const) {
    jobs
      .command(verb)
      .description(description)
      .argument('[job_id...]')
      .addHelpText('after', prints(verb === 'redrive' ? '{redriven}' : '{discarded}'))
      .option('--all', 'every one of them')
      .action((jobIds: string[], options: { readonly all?: boolean }) => {
        const selection = selectionOf(jobIds, options.all ?? false)
        return run((context) =>
          withInstance(context, `jobs ${verb}`, (instance) =>
            withQueue(context, instance, async (queue) => {
              const count = await act(instance.db, queue, selection)
              context.out.answer(verb === 'redrive' ? { redriven: count } : { discarded: count }, fields)
            }),
          ),
        )
      })
  }
}

function selectionOf(jobIds: readonly string[], all: boolean): Selection {
  if (all === jobIds.length > 0) throw new WrongUsage('name jobs by their id, or say --all')
  return all ? 'all' : { jobIds }
}

async function listDead(context: CommandContext): Promise<void> {
  await withInstance(context, 'jobs dead', async (instance) => {
    const letters = await listDeadLetters(instance.db)
    context.out.answer(letters, () =>
      letters.length === 0
        ? 'no dead letters'
        : table(
            ['job', 'queue', 'failed at', 'code', 'message'],
            letters.map((letter) => [
              letter.job_id,
              letter.queue ?? '-',
              letter.failed_at,
              letter.code ?? '-',
              letter.message ?? '-',
            ]),
          ),
    )
  })
}
