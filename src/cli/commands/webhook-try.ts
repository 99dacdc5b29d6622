/** `panji webhook test` and `panji webhook listen`: for developers of a receiver of an account's events. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Command, Option } from 'commander'
import { shownInstant } from '../../domain/shown-instant.ts'
import { type EventType, eventTypes } from '../../notify/event-types.ts'
import { createReceiver, type ReceivedMessage } from '../../notify/webhooks/receiver.ts'
import { sendTestEvent } from '../../notify/webhooks/test-event.ts'
import { secretOfWebhook } from '../../notify/webhooks/webhooks.ts'
import { listening } from '../faults/listen-fault.ts'
import { withInstance } from '../instance/with-instance.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { prints, type RunAction } from './command.ts'
import { textOfFile } from './named-file.ts'
import { portArgument } from './number-arguments.ts'

interface Listening {
  readonly secretFile?: string
  readonly port: number
  readonly host: string
}

export function declareTrying(webhook: Command, run: RunAction): void {
  webhook
    .command('test')
    .description('send the example of an event type to a webhook, marked as a test, and print the response')
    .addHelpText('after', prints('{ok, event_id, status, error, ms}'))
    .argument('<webhook_id>')
    .addOption(new Option('--type <type>', 'which event').choices(eventTypes).default('order.delivered'))
    .action((id: string, { type }: { type: EventType }) => run((context) => testWebhook(context, id, type)))

  webhook
    .command('listen')
    .description('run a receiver on this machine: print each event, and whether its signature is valid')
    .addHelpText('after', prints('{verified, fault, event_id, body}, one line per message'))
    .argument('[webhook_id]', 'webhook whose secret verifies the events')
    .option('--secret-file <path>', 'file with the secret, `whsec_…`, instead of a webhook of this instance')
    .option('--port <number>', '0 picks a free port', portArgument, 8899)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .action((id: string | undefined, options: Listening) => run((context) => listen(context, id, options)))
}

function testWebhook(context: CommandContext, webhookId: string, type: EventType): Promise<void> {
  return withInstance(context, 'webhook test', async ({ db, secretKey }) => {
    const { signal, settings, out } = context
    const parts = { db, secretKey, allowPrivate: settings.allowPrivateSources }
    const sent = await sendTestEvent(parts, { webhookId, type }, signal)
    const ok = sent.status !== null && sent.status >= 200 && sent.status < 300
    const outcome = sent.status === null ? `No answer: ${sent.error ?? 'it was stopped'}` : `Answered ${sent.status}`
    const shown = () => `${outcome}, after ${sent.ms} ms. Event ${sent.event_id}.`
    if (!ok) failWith(out, { ok, ...sent }, shown, { code: 'UNAVAILABLE', message: outcome })
    out.answer({ ok, ...sent }, shown)
  })
}

async function listen(context: CommandContext, webhookId: string | undefined, options: Listening): Promise<void> {
  const secret = await secretFor(context, webhookId, options)
  const { host, port } = options
  const server = createReceiver(secret, (message) => show(context, message))
  await listening({ host, port, portName: '--port', hostName: '--host' }, async () => {
    server.listen(port, host)
    await once(server, 'listening')
  })
  const { port: bound } = server.address() as AddressInfo
  context.out.note(`Listening at http://${host.includes(':') ? `[${host}]` : host}:${bound}/. Press Ctrl-C to stop.`)
  if (!context.signal.aborted) await once(context.signal, 'abort')
  server.close()
  server.closeAllConnections()
}

async function secretFor(
  context: CommandContext,
  webhookId: string | undefined,
  { secretFile }: Listening,
): Promise<string> {
  if ((webhookId === undefined) === (secretFile === undefined)) {
    throw new WrongUsage('Name a webhook of this instance, or --secret-file with the secret of another.')
  }
  if (secretFile !== undefined) return textOfFile(secretFile).trim()
  return withInstance(context, 'webhook listen', ({ db, secretKey }) => secretOfWebhook(db, secretKey, webhookId ?? ''))
}

function show({ out }: CommandContext, { id, fault, body }: ReceivedMessage): void {
  const outcome = fault === null ? 'genuine' : `REFUSED: ${fault}`
  // A --json document is indented; here each message is a single line.
  if (out.json) out.line(JSON.stringify({ verified: fault === null, fault, event_id: id, body }))
  else out.answer(body, () => `${shownInstant(new Date())}  ${id === '' ? 'no id' : id}  ${outcome}\n${indented(body)}`)
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // Anything can be sent to the port.
    return body
  }
}
