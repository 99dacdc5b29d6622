/** Credits: what is left and until when, packs on sale, and the history. */
import { Page } from '../../look/page.tsx'
import { CreditLedger } from './credit-ledger.tsx'
import { CreditLots } from './credit-lots.tsx'
import { CreditPacks } from './credit-packs.tsx'
import { Purchases } from './purchases.tsx'

export default function Credits() {
  return (
    <Page title="Credits" lead="One credit buys one record with a way to reach it.">
      <CreditLots />
      <CreditPacks />
      <Purchases />
      <CreditLedger />
    </Page>
  )
}
