/** The connected CRMs, each with its state and a link to its page. */
import { Link } from 'wouter'
import { whenInWords } from '../../look/crm/deliver-when.ts'
import { DestinationState } from '../../look/crm/destination-state.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { Page } from '../../look/page.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { Needs } from '../needs.tsx'
import { useKindNames } from './kinds.ts'
import { useDestinations } from './use-destinations.ts'

export default function Destinations() {
  return (
    <Page title="CRMs" lead="Where the leads you order are delivered.">
      <Needs scope="deliver" toRead>
        <p>
          <Link className="button main" href="/destinations/connect">
            Connect a CRM
          </Link>
        </p>
        <List />
      </Needs>
    </Page>
  )
}

function List() {
  const [destinations, kindOf] = [useDestinations(), useKindNames()]
  return (
    <ListTable
      of={destinations}
      what="your CRMs"
      caption="CRMs"
      keyOf={({ destination_id }) => destination_id}
      empty={
        <p>
          No CRM is connected.{' '}
          <ForPermitted needs="deliver" asAdmin others="An admin connects one.">
            Choose “Connect a CRM”; nothing is sent until you say so.
          </ForPermitted>
        </p>
      }
      columns={[
        {
          head: 'Name',
          by: ({ name }) => name,
          cell: ({ destination_id, name }) => <Link href={`/destinations/${destination_id}`}>{name}</Link>,
        },
        { head: 'Kind', by: ({ type }) => kindOf(type) },
        { head: 'State', by: ({ status }) => status, cell: (destination) => <DestinationState of={destination} /> },
        { head: 'Orders go there', by: ({ deliver }) => whenInWords(deliver) },
        {
          head: 'Account there',
          by: ({ remote_account }) => remote_account,
          cell: ({ remote_account }) => remote_account ?? 'not known yet',
        },
      ]}
    />
  )
}
