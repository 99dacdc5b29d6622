/** `panji alert …`: where operators are notified of the conditions of the instance. */
import { setTimeout as delay } from 'node:timers/promises'
import listChannels from '../../api/operations/alerts/list-channels.ts'
import { createMailer } from '../../notify/mails/smtp.ts'
import { addNamed } from '../../notify/operators/environment-channels.ts'
import { listAlerts } from '../../notify/operators/list-alerts.ts'
import { queueAlert, testAlert } from '../../notify/operators/queue-alert.ts'
import { sendAlerts } from '../../notify/operators/send-alerts.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withOperations } from '../instance/with-operations.ts'
import { table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'

/** A worker that has picked up a notification may be waiting for its channel, or for its next poll. */
const waitMs = 20_000
const lookAgainMs = 100

export const declareAlert: Declare = (program, run) => {
  const alert = program.command('alert').description('alert channels for operators')

  alert
    .command('list')
    .description('list the alert channels')
    .addHelpText('after', prints('[{channel_id, kind, shown, origin, created_at, created_by, last_sent_at, failed}]'))
    .action(() =>
      run((context) =>
        withOperations(context, 'alert list', async ({ call }) => {
          const { data } = await call(listChannels)
          context.out.answer(data, (channels) =>
            table(
              ['channel', 'kind', 'address', 'from', 'last sent', 'failed'],
              channels.map((each) => [
                ...[each.channel_id, each.kind, each.shown, each.origin],
                ...[each.last_sent_at, each.failed],
              ]),
            ),
          )
        }),
      ),
    )

  alert
    .command('test')
    .description('send a test to every channel, including those of PANJI_ALERT_URL and PANJI_ALERT_MAIL')
    .addHelpText('after', prints('{ok, sent: [{channel, kind, address, state, error}]}'))
    .action(() => run((context) => withInstance(context, 'alert test', (instance) => tryChannels(context, instance))))
}

async function tryChannels(context: CommandContext, instance: OpenInstance): Promise<void> {
  const { db, secretKey } = instance
  const { alertChannels } = context.settings
  const queued = await db.transaction(async (tx) => {
    await addNamed(tx, secretKey, alertChannels)
    return queueAlert(tx, testAlert)
  })
  if (!(await workerIsPresent(db))) await sendHere(context, instance)
  const ids = queued.map(({ messageId }) => messageId)
  const read = () => listAlerts(db, ids.length, ids)
  const until = performance.now() + waitMs
  let sent = await read()
  while (sent.some(({ state, lastError }) => state === 'pending' && lastError === null) && performance.now() < until) {
    await delay(lookAgainMs)
    sent = await read()
  }
  const rows = sent.map(({ channelId, kind, shown, state, lastError }) => ({
    ...{ channel: channelId, kind, address: shown },
    ...{ state, error: lastError },
  }))
  const failed = rows.filter(({ state }) => state !== 'sent').length
  const message = `${failed} of ${rows.length} channels did not accept the test; see the error of each`
  const answer = { ok: failed === 0, sent: rows }
  const shown = () =>
    rows.length === 0
      ? 'no channels: set PANJI_ALERT_URL or PANJI_ALERT_MAIL, or add one on the page Notifications of the console'
      : table(
          ['kind', 'address', 'state', 'error'],
          rows.map(({ kind, address, state, error }) => [kind, address, state, error ?? '-']),
        )
  if (failed > 0) failWith(context.out, answer, shown, { code: 'UNAVAILABLE', message })
  context.out.answer(answer, shown)
}

/** Where a worker runs, it sends them, through its own mail server. */
async function sendHere(context: CommandContext, { db, secretKey }: OpenInstance): Promise<void> {
  const { smtp, allowPrivateSources: allowPrivate, connect } = context.settings
  const mailer = smtp && createMailer(smtp)
  try {
    await sendAlerts({ db, secretKey, allowPrivate, mailer, publicUrl: connect.publicUrl }, context.signal)
  } finally {
    mailer?.close()
  }
}
