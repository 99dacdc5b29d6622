import { z } from 'zod'
import { accountState } from '../../../access/accounts.ts'
import { accountSorts, listAccounts } from '../../../access/list-accounts.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, sorting, textFilter } from '../../parameters.ts'
import { AccountState } from './account-schemas.ts'
import example from './list.example.json' with { type: 'json' }

const User = AccountState.extend({ created_at: timestamp() }).meta({ id: 'Account' })

export default operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/admin/users',
  summary: 'List accounts',
  description: 'With plan and suspension, newest first unless sorted.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  query: z.object({
    search: textFilter('Part of the e-mail address or username, a whole ID, or the prefix of a key').meta({
      examples: ['demo'],
    }),
    ...sorting(accountSorts),
    suspended: z.enum(['true', 'false']).optional().describe('Only suspended accounts, or only those that are not'),
    ...paging(100),
  }),
  reply: { 200: pageOf(User) },
  example,
  handle: async ({ db }, { query: { search, suspended, page, limit, sort } }) => {
    const only = suspended === undefined ? {} : { suspended: suspended === 'true' }
    const { accounts, total } = await listAccounts(db, { search, ...only, page, limit, sort })
    const data = accounts.map((account) => ({
      ...accountState(account),
      created_at: account.createdAt.toISOString(),
    }))
    return { data, total, page, limit }
  },
})
