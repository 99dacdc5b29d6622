/** The events an account gets by e-mail; changing them needs the scope to deliver. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { readAgain } from '../../wire/queries.ts'
import { AccountAct } from '../account-act.tsx'
import { eventFields, eventsIn, wordsOf } from './event-choice.ts'

const mailsChosen = queryOptions({
  queryKey: ['mails'],
  queryFn: async () => dataOf(await api.GET('/api/crm/mails')),
})
type Chosen = components['schemas']['Mails']

const begun = ({ events, revision }: Chosen) => ({ fields: eventFields((event) => events.includes(event)), revision })

export function Mails() {
  const mails = useQuery(mailsChosen)
  return (
    <section>
      <h2>By e-mail</h2>
      <Reading of={mails} what="the e-mails">
        {({ to, events, revision }) => (
          <>
            {events.length === 0 ? (
              <p>Nothing is sent to {to}.</p>
            ) : (
              <>
                <p>If the operator of this Panji has set up e-mail, {to} is notified when</p>
                <ul>
                  {events.map((event) => (
                    <li key={event}>{wordsOf(event)}</li>
                  ))}
                </ul>
              </>
            )}
            <AccountAct
              needs="deliver"
              asAdmin
              label="Choose"
              title={`E-mails to ${to}`}
              says={() => `The e-mails to ${to} are changed.`}
              whole={{
                ...{ what: `the e-mails to ${to}`, ...begun({ to, events, revision }) },
                readAnew: async () => begun(await readAgain(mailsChosen)),
              }}
              calls={(typed, _, read) =>
                api.PUT('/api/crm/mails', { body: { events: eventsIn(typed), revision: read } })
              }
            >
              <p>E-mails that are not ticked are no longer sent, including any that wait.</p>
            </AccountAct>
          </>
        )}
      </Reading>
    </section>
  )
}
