/** `panji scope`: the as-of day of each partition of a register, and how to lower one that is wrong. */
import { Argument } from 'commander'
import { sources } from '../../../config/sources/index.ts'
import { audit } from '../../audit/audit.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { type LoweredScopes, listScopes, lowerScopes } from '../../ingest/conduct/lower-scopes.ts'
import { table } from '../output.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'
import { reasonArgument } from './worded-arguments.ts'

interface LowerOptions {
  readonly to: string
  readonly reason: string
  readonly scope?: string
}

const sourceArgument = () => new Argument('<source>', 'whose parts').choices(sources.map(({ name }) => name))

export const declareScope: Declare = (program, run) => {
  const scope = program.command('scope').description('as-of days of the partitions of a register')

  scope
    .command('list')
    .description('list the as-of day of each partition, and the run that set it')
    .addHelpText('after', prints('[{scope, as_of, run_id}]'))
    .addArgument(sourceArgument())
    .action((source: string) =>
      onInstance(run, 'scope list', async ({ db }, context) => {
        context.out.answer(await listScopes(db, source), (scopes) =>
          table(
            ['scope', 'as of', 'run'],
            scopes.map((each) => [each.scope, each.as_of, each.run_id]),
          ),
        )
      }),
    )

  scope
    .command('lower')
    .description('lower an as-of day that was set too late, so that files dated since are ingested again')
    .addHelpText('after', prints('{source, to, scopes, records, changes}'))
    .addArgument(sourceArgument())
    .requiredOption('--to <YYYY-MM-DD>', 'day of the newest snapshot that really included it')
    .requiredOption('--reason <text>', 'reason; recorded in the audit log', reasonArgument)
    .option('--scope <a,b>', 'only these partitions (default: all of the source)')
    .action((source: string, options: LowerOptions) => {
      if (!isIsoDate(options.to)) throw new WrongUsage(`--to: "${options.to}" is not a date YYYY-MM-DD`)
      return onInstance(run, 'scope lower', async ({ db }, context) => {
        const scopes = options.scope?.split(',').map((each) => each.trim())
        const lowered = await db.transaction(async (tx) => {
          const done = await lowerScopes(tx, { source, to: options.to, scopes })
          await audit(tx, {
            actor: 'operator',
            action: 'lower scope',
            subject: source,
            detail: { ...done, reason: options.reason },
          })
          return done
        })
        context.out.answer({ ...lowered, reason: options.reason }, loweredText)
      })
    })
}

function loweredText({ source, to, scopes, records, changes }: LoweredScopes): string {
  if (scopes.length === 0 && records === 0) return `Nothing of ${source} is dated after ${to}.`
  const parts = scopes.map(({ scope, before }) => `${scope} (was ${before})`).join(', ') || 'no scope'
  return `${source} is now complete as of ${to}: ${parts}; with it ${count(records, 'record')} and ${count(changes, 'change')}.`
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
