import { getAccount } from '../../../access/accounts.ts'
import { invitePerson } from '../../../access/manage-people.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { exampleInvited, InvitationBody, Person, stateOf } from '../team/team-schemas.ts'

export default operation({
  id: 'inviteAccountPerson',
  method: 'POST',
  path: '/admin/users/:id/people',
  summary: 'Invite a person to an account',
  description:
    'Sends an e-mail where this Panji sends any. A person who was invited before and has not joined is invited again.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  params: UserPath,
  body: InvitationBody,
  reply: { 201: Person },
  example: { ...exampleInvited, invited_by: null },
  handle: async ({ db, settings }, request, actor) => {
    const { email, name, role } = request.body
    return stateOf(
      await db.transaction(async (tx) => {
        const { accountId } = await getAccount(tx, request.params.id)
        return invitePerson(tx, accountId, {
          ...{ email, name, role, actor, invitedBy: null },
          byMail: settings.signInLinks === true,
        })
      }),
    )
  },
})
