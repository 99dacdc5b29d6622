import { z } from 'zod'
import { createAccount } from '../../../access/accounts.ts'
import { issueApiKey } from '../../../access/api-keys.ts'
import { email, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { addressText, wording } from '../../parameters.ts'

const CreatedAccount = z
  .object({
    user_id: uuid('ID of the account'),
    email: email('E-mail address of the account'),
    api_key: z.string().describe('Its first key, with every scope; shown only now'),
  })
  .meta({ id: 'CreatedAccount' })
const NewAccountBody = z
  .strictObject({
    email: addressText('Must be unique'),
    username: wording(200).optional().describe('Defaults to the part of the address before the @'),
    plan: z.enum(['free', 'premium']).default('free').describe('Decides its limits'),
  })
  .meta({ examples: [{ email: 'buyer@example.in', plan: 'free' }] })

export default operation({
  id: 'createAccount',
  method: 'POST',
  path: '/admin/users',
  summary: 'Create an account with its first API key',
  description: 'The account has no feeds and no credits until it is given some.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  body: NewAccountBody,
  reply: { 201: CreatedAccount },
  example: { user_id: '10737f23-ebe5-4ffe-88ad-1f5c44162bd8', email: 'buyer@example.in', api_key: 'panji_…' },
  handle: async ({ db }, request, actor) => {
    const { email: address, username, plan } = request.body
    return db.transaction(async (tx) => {
      const { accountId } = await createAccount(tx, { email: address, username, plan, isEnterprise: false, actor })
      const { apiKey } = await issueApiKey(tx, accountId, { actor })
      return { user_id: accountId, email: address, api_key: apiKey }
    })
  },
})
