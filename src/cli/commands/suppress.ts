/**
 * `panji suppress …`: the suppression list of e-mail addresses, mobile numbers, DINs and PANs. The list identifies no
 * one.
 */
import { type Command, Option } from 'commander'
import { addSuppressions, listSuppressions, type Removal, removeSuppressions } from '../../access/suppressions.ts'
import { type Objection, readObjection, type SuppressionKind, suppressionKinds } from '../../domain/objection.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { textOfFile } from './named-file.ts'
import { shownLimit } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'

type Given = Partial<Record<SuppressionKind, string[]>> & { readonly file?: string }

const collect = (value: string, before: string[] = []) => [...before, value]

const withValues = (command: Command): Command =>
  command
    .option('--email <address>', 'an e-mail address; may be repeated', collect)
    .option('--mobile <number>', 'a mobile number, Indian unless it has another country code; may be repeated', collect)
    .option('--din <din>', "a director's DIN; may be repeated", collect)
    .option(
      '--pan <pan>',
      "a person's PAN, or the GSTIN of a sole proprietor trading under their own name; may be repeated",
      collect,
    )
    .option('--file <file>', 'one value per line, each after its kind: `email asha@example.in`')

export const declareSuppress: Declare = (program, run) => {
  const suppress = program
    .command('suppress')
    .description('suppression list: people who object to the use of their data')

  withValues(suppress.command('add'))
    .description('withhold their data from every answer, lead and delivery, and recall from CRMs what was sent')
    .addHelpText('after', prints('number of entries added'))
    .option('--reason <text>', 'note for operators; must not contain personal data')
    .option('--reference <text>', 'your own reference: a ticket, a letter')
    .action((options: Given & { reason?: string; reference?: string }) => {
      const objections = objectionsOf(options)
      return onInstance(run, 'suppress add', (instance, context) =>
        withQueue(context, instance, async (queue) => {
          const { reason, reference } = options
          const { added, entries } = await instance.db.transaction((tx) =>
            addSuppressions(tx, queue, { objections, reason, reference, actor: 'operator' }),
          )
          context.out.answer({ added, known: entries.length - added, ids: entries.map(({ id }) => id) }, fields)
        }),
      )
    })

  suppress
    .command('list')
    .description('list the entries, newest first; the people behind them are not stored')
    .addHelpText('after', prints('the entries, which identify no one'))
    .addOption(new Option('--kind <kind>').choices([...suppressionKinds]))
    .option('--limit <n>', 'entries shown', shownLimit, 100)
    .action(({ kind, limit }: { kind?: SuppressionKind; limit: number }) =>
      onInstance(run, 'suppress list', async ({ db }, context) => {
        const { data } = await listSuppressions(db, { kind, page: 1, limit })
        context.out.answer(data, () =>
          table(
            ['id', 'kind', 'reason', 'reference', 'by', 'since'],
            data.map((each) => [each.id, each.kind, each.reason, each.reference, each.created_by, each.created_at]),
          ),
        )
      }),
    )

  withValues(suppress.command('remove'))
    .description('lift an objection: show the data again; what a CRM erased stays erased')
    .option('--id <id>', 'ID of an entry, as shown by `list`; may be repeated', collect)
    .option('--lost', 'all entries whose key was lost with the secret key')
    .action((options: Given & { id?: string[]; lost?: boolean }) => {
      const removal = removalOf(options)
      return onInstance(run, 'suppress remove', async ({ db }, context) => {
        context.out.answer(await db.transaction((tx) => removeSuppressions(tx, removal, 'operator')), fields)
      })
    })
}

function removalOf(options: Given & { id?: string[]; lost?: boolean }): Removal {
  if (options.lost) return { lost: true }
  if (options.id) return { ids: options.id }
  return { objections: objectionsOf(options) }
}

/** @throws WrongUsage that refers to an unreadable value by its position, never by its text. */
function objectionsOf(options: Given): Objection[] {
  const given = suppressionKinds.flatMap((kind) =>
    (options[kind] ?? []).map((text, index) => ({ kind: String(kind), text, place: `--${kind}, value ${index + 1}` })),
  )
  const all = [...given, ...(options.file === undefined ? [] : linesOf(options.file))]
  if (all.length === 0) throw new WrongUsage('give at least one of --email, --mobile, --din, --pan and --file')
  return all.map(({ kind, text, place }) => {
    const known = suppressionKinds.find((each) => each === kind)
    const objection = known && readObjection(known, text)
    if (!objection) throw new WrongUsage(`${place}: ${known ? `this is no ${shownKinds[known]}` : unknownKind}`)
    return objection
  })
}

const shownKinds: Readonly<Record<SuppressionKind, string>> = {
  email: 'e-mail address',
  mobile: 'mobile number',
  din: 'DIN',
  pan: 'PAN of a person, nor a GSTIN that bears one',
}
const unknownKind = `begin the line with its kind: ${suppressionKinds.join(', ')}`

function linesOf(path: string): { kind: string; text: string; place: string }[] {
  return textOfFile(path)
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const [kind = '', ...text] = line.trim().split(/[\s,]+/)
      if (kind === '') return []
      return [{ kind: kind.toLowerCase(), text: text.join(' '), place: `${path}, line ${index + 1}` }]
    })
}
