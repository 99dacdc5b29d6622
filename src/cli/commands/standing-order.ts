/** `panji standing-order`: lists, shows, creates, activates and pauses standing orders, and decides waiting runs. */
import type { Command as Commander } from 'commander'
import { standingTerms } from '../../../config/plans.ts'
import { findAccountId } from '../../access/accounts.ts'
import type { Tx } from '../../db/db.ts'
import { createStanding } from '../../standing/create.ts'
import { previewStanding } from '../../standing/preview.ts'
import { decideRun, listRuns } from '../../standing/runs.ts'
import { deliveryShown, listStanding, readStanding, type StandingOrder } from '../../standing/standing-order.ts'
import { endStanding, pauseAllStanding, pauseStanding, resumeStanding } from '../../standing/switch.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints, type RunAction } from './command.ts'
import { count, wholeNumber } from './number-arguments.ts'
import { draftOf, type StandingOptions } from './standing-draft.ts'
import { reasonArgument } from './worded-arguments.ts'

const { budgetMax } = standingTerms
const printed =
  '{standing_order_id, name, state, reason, query, budget: {day, month, run}, spent: {day, month, total}, delivery, …}'
const actor = 'operator' as const

export const declareStandingOrder: Declare = (program, run) => {
  const standing = program
    .command('standing-order')
    .description('queries that buy what each import brings, within a budget')
  declareReads(standing, run)
  declareCreate(standing, run)
  declareSwitches(standing, run)
  declareDecisions(standing, run)
}

function declareReads(standing: Commander, run: RunAction): void {
  standing
    .command('list')
    .description('list the standing orders of all accounts or of one, newest first')
    .addHelpText('after', prints(`[${printed}]`))
    .argument('[user_id]', 'or e-mail')
    .action((userId?: string) =>
      run((context) =>
        withInstance(context, 'standing-order list', async ({ db }) => {
          const accountId = userId === undefined ? null : await findAccountId(db, userId)
          const { orders, total } = await listStanding(db, accountId, { page: 1, limit: shownMax })
          context.out.answer(orders.map(shown), () =>
            table(
              ['standing order', 'name', 'state', 'reason', 'spent today', 'a day', 'spent this month', 'a month'],
              orders.map((each) => [
                ...[each.standingOrderId, each.name, each.state, each.reason, each.spent.day, each.budget?.day ?? null],
                ...[each.spent.month, each.budget?.month ?? null],
              ]),
            ),
          )
          noteOthers(context, orders.length, total)
        }),
      ),
    )

  standing
    .command('show')
    .description('show a standing order: its query, budget and state, and what it has spent')
    .addHelpText('after', prints(printed))
    .argument('<standing_order_id>')
    .action((id: string) =>
      run((context) =>
        withInstance(context, 'standing-order show', async ({ db }) => {
          context.out.answer(shown(await readStanding(db, null, id)), fields)
        }),
      ),
    )

  standing
    .command('preview')
    .description('preview what it would have found in the last 30 days, and what its budgets would have left out')
    .addHelpText(
      'after',
      prints('{days: [{day, matches, with_mobile, with_email, price, over_budget}], rows: [{number, name}]}'),
    )
    .argument('<standing_order_id>')
    .option('--day <day>', 'day whose records are shown, YYYY-MM-DD')
    .action((id: string, { day }: { day?: string }) =>
      run((context) =>
        withInstance(context, 'standing-order preview', async ({ db }) => {
          const order = await readStanding(db, null, id)
          const [owner] = await db.query<{ isEnterprise: boolean }>(
            'SELECT is_enterprise AS "isEnterprise" FROM access.account WHERE account_id = $1',
            [order.accountId],
          )
          const found = await previewStanding(db, order, { isEnterprise: owner?.isEnterprise === true, day })
          context.out.answer(found, () =>
            table(
              ['day', 'matches', 'with mobile', 'with e-mail', 'price', 'over budget'],
              found.days.map((each) => [
                ...[each.day, each.matches, each.with_mobile, each.with_email, each.price, each.over_budget],
              ]),
            ),
          )
        }),
      ),
    )

  standing
    .command('runs')
    .description('list its runs, newest first: what each found and bought, and which one waits')
    .addHelpText(
      'after',
      prints(
        '[{run_id, state, reason, matches, usual, bought, owned, no_contact, over_budget, no_longer_matches, credits, orders, sample, …}]',
      ),
    )
    .argument('<standing_order_id>')
    .action((id: string) =>
      run((context) =>
        withInstance(context, 'standing-order runs', async ({ db }) => {
          const { runs, total } = await listRuns(db, null, id, { page: 1, limit: shownMax })
          context.out.answer(runs, () =>
            table(
              ['run', 'import', 'state', 'reason', 'matches', 'usual', 'bought', 'credits', 'made'],
              runs.map((each) => [
                ...[each.run_id, each.import_run_id, each.state, each.reason, each.matches, each.usual, each.bought],
                ...[each.credits, each.created_at],
              ]),
            ),
          )
          noteOthers(context, runs.length, total)
        }),
      ),
    )
}

function declareCreate(standing: Commander, run: RunAction): void {
  standing
    .command('create')
    .description('create a standing order for an account; a draft unless --active is given')
    .addHelpText('after', prints(printed))
    .argument('<user_id>', 'or e-mail')
    .requiredOption('--name <text>', 'name shown to the account')
    .option('--source <source>', 'screener, feed or watchlist', 'screener')
    .option('--type <type>', 'company or gst')
    .option('--query <text>', 'in the screener language')
    .option('--screener <id>', 'a saved screener, whose query is copied')
    .option('--watchlist <id>', 'for source watchlist')
    .option('--day <credits>', 'budget per day in India', wholeNumber(1, budgetMax.day))
    .option('--month <credits>', 'budget per month in India', wholeNumber(1, budgetMax.month))
    .option('--run <credits>', 'budget per run', wholeNumber(1, budgetMax.run))
    .option('--notify-only', 'only notifies: buys nothing and has no budget')
    .option('--has-mobile', 'only records with a mobile number')
    .option('--has-email', 'only records with an e-mail address')
    .option('--only-active', 'exclude records that are struck off, cancelled or deactivated')
    .option('--prefer <order>', 'newest, oldest, or a field such as "paidUpCapital desc"', 'newest')
    .option('--destination <id...>', 'where purchases are delivered')
    .option('--schedule <when>', 'import, a time such as 08:00, or "monday 08:00"', 'import')
    .option('--ends <day>', 'its last day, YYYY-MM-DD')
    .option('--active', 'activate it at once')
    .action((userId: string, options: StandingOptions) =>
      run((context) =>
        act(context, 'standing-order create', async (tx) => {
          const made = await createStanding(tx, await findAccountId(tx, userId), draftOf(options), actor)
          return shown(options.active ? await resumeStanding(tx, null, made.standingOrderId, { actor }) : made)
        }),
      ),
    )
}

function declareSwitches(standing: Commander, run: RunAction): void {
  standing
    .command('pause')
    .description('pause one, all of an account, or all; once this returns they spend no credit')
    .addHelpText('after', prints(`${printed}, or {paused} for several`))
    .argument('[standing_order_id]')
    .option('--user <user_id>', 'all of this account')
    .option('--all', 'those of all accounts')
    .option('--reason <text>', 'note for later readers', reasonArgument)
    .action((id: string | undefined, { user, all, reason }: { user?: string; all?: boolean; reason?: string }) =>
      run((context) => {
        if ([id, user, all].filter((each) => each !== undefined).length !== 1) {
          throw new WrongUsage('Name a standing order, or use either --user or --all.')
        }
        return act(context, 'standing-order pause', async (tx) => {
          const by = { actor, reason }
          if (id !== undefined) return shown(await pauseStanding(tx, null, id, by))
          return { paused: await pauseAllStanding(tx, user === undefined ? null : await findAccountId(tx, user), by) }
        })
      }),
    )

  for (const [name, description, change] of [
    ['resume', 'activate a draft, or resume a paused standing order', resumeStanding],
    ['end', 'end a standing order for good; what it bought is kept', endStanding],
  ] as const) {
    standing
      .command(name)
      .description(description)
      .addHelpText('after', prints(printed))
      .argument('<standing_order_id>')
      .option('--reason <text>', 'note for later readers', reasonArgument)
      .action((id: string, { reason }: { reason?: string }) =>
        run((context) =>
          act(context, `standing-order ${name}`, async (tx) => shown(await change(tx, null, id, { actor, reason }))),
        ),
      )
  }
}

function declareDecisions(standing: Commander, run: RunAction): void {
  for (const [name, description, approve] of [
    ['approve', 'approve a waiting run, so that it buys', true],
    ['skip', 'skip a waiting run and buy nothing', false],
  ] as const) {
    standing
      .command(name)
      .description(description)
      .addHelpText('after', prints('the run'))
      .argument('<standing_order_id>')
      .option('--run <run_id>', 'by default the run that has waited longest', count)
      .action((id: string, { run: runId }: { run?: number }) =>
        run((context) =>
          act(context, `standing-order ${name}`, (tx) => decideRun(tx, null, id, { approve, runId, actor })),
        ),
      )
  }
}

async function act(context: CommandContext, command: string, work: (tx: Tx) => Promise<object>): Promise<void> {
  await withInstance(context, command, async ({ db }) => context.out.answer(await db.transaction(work), fields))
}

const shown = (order: StandingOrder) => ({
  standing_order_id: order.standingOrderId,
  user_id: order.accountId,
  name: order.name,
  state: order.state,
  reason: order.reason,
  source: order.source,
  type: order.type,
  query: order.query,
  version: order.version,
  budget: order.budget,
  spent: order.spent,
  delivery: deliveryShown(order),
  schedule: order.schedule,
  ends_on: order.endsOn,
  created_at: order.createdAt,
})
