/** Sends a test event to a webhook and waits for its response. */
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../look/badge.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { eventTypes, wordsOf } from './event-choice.ts'

export function TestWebhook({ webhookId, url }: { readonly webhookId: string; readonly url: string }) {
  return (
    <AccountAct
      needs="deliver"
      label="Send a test"
      title={`Send a test to ${url}?`}
      fields={[
        {
          name: 'type',
          label: 'Event',
          options: eventTypes.map((type) => ({ value: type, label: wordsOf(type) })),
          initial: 'order.delivered',
        },
      ]}
      calls={(typed) => {
        const type = eventTypes.find((each) => each === typed['type']) ?? 'order.delivered'
        const params = { path: { webhook_id: webhookId } }
        return api.POST('/api/crm/webhooks/{webhook_id}/test', { params, body: { type } })
      }}
      shows={({ event_id }) => <Answer eventId={event_id} />}
    >
      <p>
        The example of the event is sent once, signed and marked with <code>"test": true</code>.
      </p>
    </AccountAct>
  )
}

/** The response of the one receiver, as soon as a worker has sent the test. */
function Answer({ eventId }: { readonly eventId: string }) {
  const sent = useQuery({
    queryKey: ['test-event', eventId],
    queryFn: async () => {
      const { data } = dataOf(await api.GET('/api/crm/events', { params: { query: { page: 1, limit: 20 } } }))
      return data.find((event) => event.event_id === eventId)?.notices[0] ?? null
    },
    refetchInterval: ({ state }) =>
      state.data?.state === 'delivered' || state.data?.state === 'failed' ? false : 1_000,
  })
  return (
    <Reading of={sent} what="the answer">
      {(notice) =>
        notice === null || notice.state === 'pending' ? (
          <p role="status">On its way …</p>
        ) : (
          <p role="status">
            <Badge tone={notice.state === 'delivered' ? 'good' : 'bad'}>{notice.state}</Badge>{' '}
            {notice.last_status === null ? `No answer: ${notice.last_error}` : `It answered ${notice.last_status}.`}
          </p>
        )
      }
    </Reading>
  )
}
