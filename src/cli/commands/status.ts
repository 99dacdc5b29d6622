/** `panji status`: what is running, what is in progress, and what needs attention, on one screen. */
import { Option } from 'commander'
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { readRunsNotAtRest, readSourceStates } from '../../ingest/run/source-states.ts'
import { listDeadLetters } from '../../queue/dead-letters.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import { holdsInstance } from '../instance/data-directory.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import { panjiVersion } from '../version.ts'
import type { Declare } from './command.ts'
import { firstSteps, nextSteps } from './next-steps.ts'

export const declareStatus: Declare = (program, run) => {
  program
    .command('status')
    .description('show what is running, what is in progress, and what needs attention')
    // Used by a bare `panji`: there, a missing instance is an answer and not an error.
    .addOption(new Option('--or-start').hideHelp())
    .action(({ orStart = false }: { orStart?: boolean }) =>
      run(async (context) => {
        const { databaseUrl, dataDir } = context.settings
        if (orStart && !databaseUrl && !holdsInstance({ dataDir })) {
          const nothing = { version: panjiVersion(), instance: null, next_steps: firstSteps }
          context.out.answer(nothing, () => `There is no Panji in ${dataDir} yet.\n\n${stepsText(firstSteps)}`)
          return
        }
        // Read before this command starts the database itself.
        const running = context.settings.databaseUrl ? undefined : readInstance(context.settings.dataDir)
        return withInstance(context, 'status', async ({ db }) => {
          const runs = await readRunsNotAtRest(db)
          const waits = ({ status }: { status: string }) => status === 'needs_approval'
          const broken = await db.query<{ broken: number }>(
            `SELECT count(*) AS broken FROM deliver.destination WHERE status = 'broken'`,
          )
          const status = {
            version: panjiVersion(),
            instance: context.settings.databaseUrl ? 'DATABASE_URL' : context.settings.dataDir,
            process: running ? `${running.pid} runs \`panji ${running.command}\`` : null,
            api_url: running?.apiUrl ?? null,
            worker: await workerIsPresent(db),
            runs_at_work: runs.filter((each) => !waits(each)).map((each) => each.run_id),
            runs_that_wait: runs.filter(waits).map((each) => each.run_id),
            dead_letters: (await listDeadLetters(db)).length,
            broken_destinations: broken[0]?.broken ?? 0,
            sources: await readSourceStates(db),
          }
          const answer = { ...status, next_steps: nextSteps(status) }
          context.out.answer(answer, ({ sources, next_steps, ...head }) =>
            [
              fields(head),
              ...(sources.length > 0
                ? [
                    '',
                    table(
                      ['source', 'newest run', 'status', 'as of'],
                      sources.map((each) => [each.source, each.run_id, each.status, each.as_of ?? '-']),
                    ),
                  ]
                : []),
              '',
              stepsText(next_steps),
            ].join('\n'),
          )
        })
      }),
    )
}

const stepsText = (steps: readonly { readonly command: string; readonly why: string }[]): string =>
  table(
    ['next', ''],
    steps.map(({ command, why }) => [command, why]),
  )
