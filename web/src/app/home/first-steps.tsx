/** Three steps for a new account, with a button each. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { counted } from '../../look/numbers.ts'
import { leftOf } from '../money/credits-left.tsx'

export function FirstSteps(props: {
  readonly lots: readonly components['schemas']['CreditLot'][]
  readonly destinations: readonly components['schemas']['Destination'][]
}) {
  const { lots, destinations } = props
  const left = leftOf(lots)
  const [crm] = destinations
  return (
    <section aria-label="Get started">
      <h2>Get started</h2>
      <ol className="cards steps">
        <li className="card">
          <h3>1. Find companies</h3>
          <p>Describe whom you sell to in plain words, or choose filters.</p>
          <Link className="button main" href="/search">
            Search
          </Link>
        </li>
        <li className="card">
          <h3>2. Buy their leads</h3>
          <p>
            A credit buys one lead with its contacts.{' '}
            {left > 0 ? `You have ${counted(left, 'credit')}.` : 'You have none yet.'} A record that cannot be reached
            costs nothing.
          </p>
          <Link className="button" href={left > 0 ? '/search' : '/credits'}>
            {left > 0 ? 'Choose leads' : 'Buy credits'}
          </Link>
        </li>
        <li className="card">
          <h3>3. Send them to your CRM</h3>
          <p>{crm ? `${crm.name} is connected.` : 'Leads arrive there as they are bought, and stay up to date.'}</p>
          <Link className="button" href={crm ? '/destinations' : '/destinations/connect'}>
            {crm ? 'See your CRMs' : 'Connect a CRM'}
          </Link>
        </li>
      </ol>
    </section>
  )
}
