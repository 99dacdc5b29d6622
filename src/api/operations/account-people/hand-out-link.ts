import { z } from 'zod'
import { getAccount } from '../../../access/accounts.ts'
import { handOutLink } from '../../../access/hand-out-link.ts'
import { timestamp } from '../../formats.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { PersonPath } from '../team/team-schemas.ts'

const Link = z
  .object({
    path: z.string().describe('Path below the address of this Panji; shown only now, works once'),
    expires_at: timestamp('after which it no longer works'),
  })
  .meta({ id: 'HandedOutLink' })

export default operation({
  id: 'handOutLink',
  method: 'POST',
  path: '/admin/users/:id/people/:person_id/link',
  summary: 'Create a sign-in link for a person of an account',
  description:
    'For people who receive no e-mail. An invited person joins with it until the invitation ends; a member signs in with it within an hour.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: UserPath.extend(PersonPath.shape),
  body: noBody,
  reply: { 201: Link },
  example: { path: '/app#code=…', expires_at: '2026-11-27T05:00:00.000Z' },
  handle: async ({ db }, request, actor) => {
    const { id, person_id: name } = request.params
    const { path, expiresAt } = await db.transaction(async (tx) => {
      const { accountId } = await getAccount(tx, id)
      return handOutLink(tx, accountId, { name, operator: enteredOf(request).operator, actor })
    })
    return { path, expires_at: expiresAt.toISOString() }
  },
})
