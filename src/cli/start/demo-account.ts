/** The account of the sample world: premium, entitled to all three feeds in three different ways, with credits. */
import { createAccount } from '../../access/accounts.ts'
import { issueApiKey } from '../../access/api-keys.ts'
import { grantEntitlement } from '../../access/grants.ts'
import { grantCredits } from '../../orders/ledger.ts'
import type { OpenInstance } from '../instance/open-instance.ts'

export interface DemoAccount {
  readonly userId: string
  readonly apiKey: string
}

export async function createDemoAccount({ db }: OpenInstance): Promise<DemoAccount> {
  return db.transaction(async (tx) => {
    const { accountId } = await createAccount(tx, {
      email: 'demo@example.com',
      username: 'demo',
      plan: 'premium',
      isEnterprise: false,
    })
    const { apiKey } = await issueApiKey(tx, accountId)
    await grantEntitlement(tx, {
      accountId,
      dataset: 'gst',
      grantedBy: 'subscription',
      states: ['Maharashtra', 'Goa', 'Gujarat'],
    })
    await grantEntitlement(tx, { accountId, dataset: 'company', grantedBy: 'subscription' })
    await grantEntitlement(tx, { accountId, dataset: 'director', grantedBy: 'offer' })
    await grantCredits(tx, accountId, 500, `grant:${accountId}:welcome`, { memo: 'sample world' })
    return { userId: accountId, apiKey }
  })
}
