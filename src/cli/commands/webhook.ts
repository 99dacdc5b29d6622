/** `panji webhook …`: URLs that receive the events of an account's deliveries. */
import { Option } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { type EventType, eventTypes } from '../../notify/event-types.ts'
import { addWebhook, listEvents, listWebhooks, removeWebhook, replayEvent } from '../../notify/webhooks/webhooks.ts'
import { fields, table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'
import { declareTrying } from './webhook-try.ts'

const eventsShown = 100

export const declareWebhook: Declare = (program, run) => {
  const webhook = program.command('webhook').description("URLs that receive the events of an account's deliveries")

  webhook
    .command('add')
    .description('create a webhook; its secret is shown once')
    .addHelpText('after', prints('{webhook_id, url, events, created_at, secret}'))
    .argument('<user_id>', 'or e-mail')
    .requiredOption('--url <https address>')
    .addOption(new Option('--events <type...>', 'all by default').choices(eventTypes))
    .action((userId: string, options: { url: string; events?: EventType[] }) =>
      onInstance(run, 'webhook add', async ({ db, secretKey }, context) => {
        const accountId = await findAccountId(db, userId)
        const allowPrivate = context.settings.allowPrivateSources
        context.out.answer(await addWebhook(db, secretKey, { accountId, allowPrivate, ...options }), fields)
      }),
    )

  webhook
    .command('list')
    .description('list the webhooks of an account')
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) =>
      onInstance(run, 'webhook list', async ({ db }, context) => {
        context.out.answer(await listWebhooks(db, await findAccountId(db, userId)), (rows) =>
          table(
            ['webhook', 'address', 'events'],
            rows.map((row) => [row.webhook_id, row.url, row.events.join(', ')]),
          ),
        )
      }),
    )

  webhook
    .command('remove')
    .description('remove a webhook')
    .argument('<webhook_id>')
    .action((id: string) =>
      onInstance(run, 'webhook remove', async ({ db }, context) =>
        context.out.answer(await removeWebhook(db, id), fields),
      ),
    )

  declareTrying(webhook, run)

  webhook
    .command('events')
    .description('list the events sent to the webhooks of an account, newest first')
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) =>
      onInstance(run, 'webhook events', async ({ db }, context) => {
        const { events } = await listEvents(db, await findAccountId(db, userId), { limit: eventsShown, offset: 0 })
        context.out.answer(events, () =>
          table(
            ['event', 'type', 'at', 'answers'],
            events.map((event) => [
              event.event_id,
              event.type,
              event.created_at,
              event.notices.map(({ state, last_status: status }) => `${state} ${status ?? ''}`).join(', '),
            ]),
          ),
        )
      }),
    )

  webhook
    .command('replay')
    .description('send an event again')
    .addHelpText('after', prints('{replayed, replays}'))
    .argument('<user_id>', 'or e-mail')
    .argument('<event_id>')
    .action((userId: string, eventId: string) =>
      onInstance(run, 'webhook replay', async ({ db }, context) =>
        context.out.answer(await replayEvent(db, eventId, await findAccountId(db, userId)), fields),
      ),
    )
}
