/** The channels that notify operators of what the health page shows, and the last notifications. */
import type { components } from '../../../client/api-types.ts'
import { Badge, type Tone } from '../look/badge.tsx'
import { ListTable } from '../look/list-table.tsx'
import { Moment } from '../look/moment.tsx'
import { counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { SecretOnce } from '../look/secret-once.tsx'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { ForOperators } from './for-operators.tsx'
import { OperatorAct } from './operator-act.tsx'

type Alert = components['schemas']['Alert']
type Kind = Alert['kind']

const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'slack', label: 'Chat (Slack or compatible)' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'mail', label: 'E-mail' },
]
const wordsOf = (kind: Kind): string => kinds.find(({ value }) => value === kind)?.label ?? kind
const tones = { pending: 'warn', sent: 'good', failed: 'bad' } as const satisfies Record<Alert['state'], Tone>

export default function Notifications() {
  return (
    <Page
      title="Notifications"
      lead="Operators are notified of what needs attention on the health page: at most once an hour per cause, and again when it is resolved."
      acts={
        <>
          <TestAll />
          <AddChannel />
        </>
      }
    >
      <h2>Channels</h2>
      <Channels />
      <h2>Last notifications</h2>
      <Sent />
    </Page>
  )
}

function AddChannel() {
  return (
    <OperatorAct
      label="Add channel"
      title="Add a channel"
      fields={[
        { name: 'kind', label: 'Kind', options: kinds },
        { name: 'address', label: 'Address', hint: 'An https URL, or an e-mail address.' },
      ]}
      calls={({ kind, address = '' }) => api.POST('/admin/alerts/channels', { body: { kind: kind as Kind, address } })}
      shows={({ secret }) =>
        secret === null ? (
          <p role="status">The channel was added. Send a test to see that it arrives.</p>
        ) : (
          <SecretOnce secret={secret} what="the secret that verifies what this webhook gets" />
        )
      }
    />
  )
}

function TestAll({ channel }: { readonly channel?: string }) {
  return (
    <OperatorAct
      label="Send test"
      title={channel === undefined ? 'Send a test by every channel?' : 'Send a test by this channel?'}
      calls={() => api.POST('/admin/alerts/test', { body: channel === undefined ? {} : { channel_id: channel } })}
      shows={({ queued }) => (
        <p role="status">
          {queued === 0 ? 'There is no channel yet.' : `A test is on its way by ${counted(queued, 'channel')}.`}
        </p>
      )}
    >
      <p>It says that it is a test. The result appears below, under Last notifications.</p>
    </OperatorAct>
  )
}

function Channels() {
  const channels = useRead(['alert channels'], () => api.GET('/admin/alerts/channels'))
  return (
    <ListTable
      of={channels}
      what="the channels"
      caption="Channels"
      keyOf={({ channel_id }) => channel_id}
      empty={
        <p>
          No channels yet, so nobody is notified.{' '}
          <ForOperators>
            Add a channel here, or set <code>PANJI_ALERT_URL</code> or <code>PANJI_ALERT_MAIL</code>.
          </ForOperators>
        </p>
      }
      columns={[
        { head: 'Kind', by: ({ kind }) => wordsOf(kind) },
        { head: 'Address', by: ({ shown }) => shown },
        { head: 'From', cell: ({ origin, created_by }) => (origin === 'environment' ? 'Environment' : created_by) },
        {
          head: 'Last sent',
          by: ({ last_sent_at }) => last_sent_at,
          cell: ({ last_sent_at }) => (last_sent_at === null ? 'Never' : <Moment at={last_sent_at} />),
        },
        {
          head: 'Failed',
          by: ({ failed }) => failed,
          cell: ({ failed }) => (failed === 0 ? 'None' : <Badge tone="bad">{counted(failed, 'notification')}</Badge>),
        },
        {
          head: 'Change',
          cell: ({ channel_id, shown, origin }) => (
            <>
              <TestAll channel={channel_id} />
              {origin === 'console' && <Remove channel={channel_id} shown={shown} />}
            </>
          ),
        },
      ]}
    />
  )
}

function Remove({ channel, shown }: { readonly channel: string; readonly shown: string }) {
  return (
    <OperatorAct
      label="Remove"
      title={`Remove ${shown}?`}
      says={() => `${shown} is removed.`}
      tone="danger"
      calls={() =>
        api.DELETE('/admin/alerts/channels/{channel_id}', {
          params: { path: { channel_id: channel } },
          body: {},
        })
      }
    >
      <p>Notifications on their way to it are dropped.</p>
    </OperatorAct>
  )
}

function Sent() {
  const alerts = useRead(['alerts'], () => api.GET('/admin/alerts'), {
    refetchInterval: ({ state }) => (state.data?.data.some((alert) => alert.state === 'pending') ? 2_000 : 30_000),
  })
  return (
    <ListTable
      of={alerts}
      what="the last notifications"
      caption="Last notifications"
      keyOf={({ message_id }) => message_id}
      empty={<p>Nothing was sent yet.</p>}
      columns={[
        { head: 'At', at: ({ created_at }) => created_at },
        { head: 'To', by: ({ shown }) => shown },
        { head: 'Message', cell: ({ told }) => <Says of={told} /> },
        { head: 'State', by: ({ state }) => state, cell: (alert) => <State of={alert} /> },
        { head: 'Change', cell: (alert) => alert.state === 'failed' && <Resend of={alert} /> },
      ]}
    />
  )
}

function Says({ of: { test, opened, resolved } }: { readonly of: Alert['told'] }) {
  if (test) return 'Test'
  return (
    <ul>
      {opened.map(({ cause, summary }) => (
        <li key={cause}>{summary}</li>
      ))}
      {resolved.map(({ cause, summary }) => (
        <li key={cause}>Resolved: {summary}</li>
      ))}
    </ul>
  )
}

function State({ of: { state, attempts, last_error } }: { readonly of: Alert }) {
  return (
    <>
      <Badge tone={tones[state]}>{state}</Badge>
      {last_error !== null && ` ${last_error}, after ${counted(attempts, 'try', 'tries')}`}
    </>
  )
}

function Resend({ of: { message_id } }: { readonly of: Alert }) {
  return (
    <OperatorAct
      label="Send again"
      title="Send this notification again?"
      says={() => 'The notification is sent again.'}
      calls={() =>
        api.POST('/admin/alerts/messages/{message_id}/resend', { params: { path: { message_id } }, body: {} })
      }
    >
      <p>It is sent at once, and retried for three days if the channel does not accept it.</p>
    </OperatorAct>
  )
}
