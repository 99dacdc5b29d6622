/** Notifications of deliveries, orders and credits: webhooks with the events sent to each, and e-mail. */
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { ListTable } from '../../look/list-table.tsx'
import { Page } from '../../look/page.tsx'
import { SecretOnce } from '../../look/secret-once.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { Needs } from '../needs.tsx'
import { type EventType, eventFields, eventsIn, eventTypes, wordsOf } from './event-choice.ts'
import { Events } from './events.tsx'
import { Mails } from './mails.tsx'
import { TestWebhook } from './test-webhook.tsx'

const fieldsOf = (url: string, events: readonly EventType[]): readonly FieldShape[] => [
  { name: 'url', label: 'Address', hint: 'An https address that accepts a POST.', initial: url },
  ...eventFields((event) => events.includes(event)),
]

const typedIn = (typed: Typed) => ({ url: typed['url'] ?? '', events: eventsIn(typed) })

export default function Webhooks() {
  return (
    <Page
      title="Webhooks"
      lead="Events of your orders, deliveries and credits, sent to your programs and by e-mail."
      acts={
        <AccountAct
          needs="deliver"
          asAdmin
          label="Add a webhook"
          title="Add a webhook"
          tone="main"
          fields={fieldsOf('', eventTypes)}
          keeps={() => true}
          calls={(typed) => api.POST('/api/crm/webhooks', { body: typedIn(typed) })}
          shows={({ secret }) => <SecretOnce secret={secret} what="the secret that verifies what is sent" />}
        >
          <p>
            Each event is posted in the Standard Webhooks format, signed with a secret that is shown once. An event that
            gets no 2xx response is retried for three days.
          </p>
        </AccountAct>
      }
    >
      <Needs scope="deliver" toRead>
        <Endpoints />
        <Events />
      </Needs>
      <Mails />
    </Page>
  )
}

function Endpoints() {
  const webhooks = useRead(['webhooks'], () => api.GET('/api/crm/webhooks'))
  return (
    <ListTable
      of={webhooks}
      what="your webhooks"
      caption="Webhooks"
      keyOf={({ webhook_id }) => webhook_id}
      empty={
        <p>
          No webhooks yet.{' '}
          <ForPermitted needs="deliver" asAdmin others="An admin adds them.">
            Choose “Add a webhook” and enter an https address that accepts a POST.
          </ForPermitted>
        </p>
      }
      columns={[
        { head: 'Address', by: ({ url }) => url, cell: ({ url }) => <code>{url}</code> },
        {
          head: 'Events',
          by: ({ events }) => events.length,
          cell: ({ events }) => (events.length === eventTypes.length ? 'all events' : events.map(wordsOf).join(', ')),
        },
        { head: 'Since', at: ({ created_at }) => created_at },
        {
          head: 'Change',
          cell: ({ webhook_id, url, events }) => (
            <div className="acts">
              <TestWebhook webhookId={webhook_id} url={url} />
              <AccountAct
                needs="deliver"
                asAdmin
                label="Change"
                title={`Change ${url}`}
                says={() => 'The webhook is changed.'}
                fields={fieldsOf(url, events)}
                calls={(typed) => {
                  const params = { path: { webhook_id } }
                  return api.PATCH('/api/crm/webhooks/{webhook_id}', { params, body: typedIn(typed) })
                }}
              >
                <p>Its secret stays the same, and events on their way go to the new address.</p>
              </AccountAct>
              <AccountAct
                needs="deliver"
                asAdmin
                label="Remove"
                title={`Remove ${url}?`}
                says={() => `${url} is removed.`}
                tone="danger"
                calls={() => {
                  const params = { path: { webhook_id } }
                  return api.DELETE('/api/crm/webhooks/{webhook_id}', { params, body: {} })
                }}
              >
                <p>Events on their way to it are dropped, and its secret is deleted.</p>
              </AccountAct>
            </div>
          ),
        },
      ]}
    />
  )
}
