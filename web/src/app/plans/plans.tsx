/** Plans: what the account has and until when, what it may do with it, and what is on sale. */
import { Page } from '../../look/page.tsx'
import { Allowed } from './allowed.tsx'
import { CurrentPlans } from './current-plans.tsx'
import { OnSale } from './on-sale-cards.tsx'

export default function Plans() {
  return (
    <Page title="Plan" lead="What you have, what it opens, and what else is on sale.">
      <CurrentPlans />
      <Allowed />
      <OnSale />
    </Page>
  )
}
