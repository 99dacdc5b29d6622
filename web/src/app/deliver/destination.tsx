/** One CRM, step by step: sign-in and test, options, fields, one test row, and when orders are delivered. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { whenFields, whenInWords, whenOf } from '../../look/crm/deliver-when.ts'
import { type Destination, DestinationState } from '../../look/crm/destination-state.tsx'
import { Facts } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { shareField, shareInWords, shareOf } from './customer-share.ts'
import { DestinationActs, Renew } from './destination-acts.tsx'
import { useKindNames } from './kinds.ts'
import { LeftOutHere } from './left-out.tsx'
import { matchingFields, matchingInWords, matchingOf } from './matching-terms.ts'
import { OptionsStep } from './options-step.tsx'
import { destinationOf, wholeDestination } from './read-destination.ts'
import { limitFields, limitsInWords, limitsOf } from './sending-limits.ts'
import { SettingsInWords } from './settings-in-words.tsx'
import { TestRow } from './test-row.tsx'
import { TestSignIn } from './test-sign-in.tsx'

export default function DestinationPage() {
  const { id = '' } = useParams()
  const kindOf = useKindNames()
  const destination = useQuery(destinationOf(id))
  return (
    <Page title={destination.data?.name ?? 'CRM'} acts={destination.data && <DestinationActs of={destination.data} />}>
      <Reading of={destination} what="the CRM">
        {(data) => (
          <>
            <p role="status">
              <DestinationState of={data} />
            </p>
            {data.notice && (
              <p className="notice warn" role="note">
                {data.notice}
              </p>
            )}
            <Facts
              of={[
                ['Kind', kindOf(data.type)],
                ['Account there', data.remote_account],
                ['Connected', <Moment key="connected" at={data.created_at} />],
                ['Set up', data.set_up_at && <Moment key="set-up" at={data.set_up_at} />],
              ]}
            />
            <SettingsInWords of={data} />
            <Steps of={data} />
          </>
        )}
      </Reading>
    </Page>
  )
}

const termFields = (of: Destination) => [
  ...whenFields(of.deliver),
  ...limitFields(of),
  ...matchingFields(of),
  shareField(of.customer_share),
]

function Steps({ of: destination }: { readonly of: Destination }) {
  const { destination_id: id, deliver, customer_share: share } = destination
  return (
    <>
      <section>
        <h2>1. Sign in and look</h2>
        <p>Signs in and creates missing fields where it is allowed to. Anything you must do in the CRM is listed.</p>
        <div className="acts">
          <TestSignIn of={destination} />
        </div>
        <details>
          <summary>Renew its credentials</summary>
          <div className="acts">
            <Renew of={destination} />
          </div>
        </details>
      </section>
      <section>
        <h2>2. Options</h2>
        <OptionsStep of={destination} />
      </section>
      <section>
        <h2>3. Its fields</h2>
        <p>
          Which value goes into which field of the CRM.{' '}
          <Link href={`/destinations/${id}/mapping`}>Review and change fields</Link>
        </p>
        <LeftOutHere destination={id} />
      </section>
      <section>
        <h2>4. One test row</h2>
        <p>An invented lead is written like a real one, looked up, and deleted again. It costs nothing.</p>
        <TestRow of={destination} />
      </section>
      <section>
        <h2>5. When orders go there</h2>
        <p>Now: {whenInWords(deliver)}.</p>
        <p>Leads go {limitsInWords(destination)}.</p>
        <p>{matchingInWords(destination)}.</p>
        <p>{shareInWords(share)} are reserved for your other programs.</p>
        <AccountAct
          needs="deliver"
          asAdmin
          label="Change"
          title="When do paid orders go there?"
          says={() => 'Delivery times are changed.'}
          whole={wholeDestination(destination, termFields)}
          calls={(typed, _, revision) => {
            const params = { path: { destination_id: id } }
            const body = {
              deliver: whenOf(typed),
              customer_share: shareOf(typed),
              ...limitsOf(typed),
              ...matchingOf(typed),
              revision,
            }
            return api.PATCH('/api/crm/destinations/{destination_id}', { params, body })
          }}
        />
        <p>
          <Link href={`/destinations/${id}/resend`}>Resend what it holds</Link>, after a plan that shows what would
          change.
        </p>
        <p>
          <Link href={`/deliveries?destination=${id}`}>See each lead’s delivery</Link>
        </p>
      </section>
    </>
  )
}
