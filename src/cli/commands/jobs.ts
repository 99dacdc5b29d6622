/** `panji jobs dead|redrive|discard`: jobs that failed for good, and what to do with them. */
import { counted } from '../../domain/counted.ts'
import { type Redriven, redriveWanted } from '../../health/redrive-wanted.ts'
import { chosen, listDeadLetters, type Selection, settleDeadLetters } from '../../queue/dead-letters.ts'
import { confirm } from '../confirm/confirm.ts'
import { noteMissingWorker } from '../instance/missing-worker.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'

export const declareJobs: Declare = (program, run) => {
  const jobs = program.command('jobs').description('dead letters: jobs that failed for good')

  jobs
    .command('dead')
    .alias('list')
    .description('list dead letters with their errors')
    .addHelpText('after', prints('[{job_id, queue, payload, code, message, attempts, failed_at}]'))
    .action(() => run(listDead))

  for (const [verb, act, description, printed] of [
    [
      'redrive',
      redrive,
      'run dead letters again, with all their attempts',
      '{redriven, left: [{job_id, queue, reason}]}',
    ],
    ['discard', discard, 'discard dead letters', '{discarded}'],
  ] as const) {
    jobs
      .command(verb)
      .description(description)
      .argument('[job_id...]')
      .addHelpText('after', prints(printed))
      .option('--all', 'all dead letters')
      .action((jobIds: string[], options: { readonly all?: boolean }) => {
        const selection = selectionOf(jobIds, options.all ?? false)
        return run((context) => withInstance(context, `jobs ${verb}`, (instance) => act(context, instance, selection)))
      })
  }
}

const redrive = (context: CommandContext, instance: OpenInstance, selection: Selection) =>
  withQueue(context, instance, async (queue) => {
    const settled = await redriveWanted(instance.db, queue, selection)
    context.out.answer(settled, shown)
    if (settled.redriven > 0) await noteMissingWorker(context, instance.db)
  })

/** Only those that were counted when the question was asked: what failed since has been seen by nobody. */
async function discard(context: CommandContext, instance: OpenInstance, selection: Selection): Promise<void> {
  const jobIds = await chosen(instance.db, selection)
  const jobs = counted(jobIds.length, 'failed job')
  await confirm(context, `This discards ${jobs} for good; \`panji jobs redrive\` would run them again.`)
  await withQueue(context, instance, async (queue) => {
    const discarded = await settleDeadLetters(instance.db, queue, { act: 'discard', jobIds })
    context.out.answer({ discarded }, shown)
  })
}

/** Jobs that were left remain dead letters; their reason is printed. */
function shown(settled: Partial<Redriven> & { readonly discarded?: number }): string {
  const { left = [], ...counts } = settled
  if (left.length === 0) return fields(counts)
  const rows = left.map(({ job_id, queue, reason }) => [job_id, queue ?? '-', reason])
  return [fields(counts), '', table(['left', 'queue', 'reason'], rows)].join('\n')
}

function selectionOf(jobIds: readonly string[], all: boolean): Selection {
  if (all === jobIds.length > 0) throw new WrongUsage('name jobs by ID, or use --all')
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
