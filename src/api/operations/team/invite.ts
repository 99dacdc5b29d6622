import { invitePerson } from '../../../access/manage-people.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { exampleInvited, InvitationBody, Person, stateOf } from './team-schemas.ts'

export default operation({
  id: 'invitePerson',
  method: 'POST',
  path: '/api/team',
  summary: 'Invite a person to your account',
  description:
    'They get an e-mail with a link that works once, within a week. Where this Panji sends no e-mail, an operator hands out the ' +
    'link. A person who was invited before and has not joined gets a new link, and earlier links end. Admins get an e-mail about each further admin. A key cannot invite anybody whose rights exceed ' +
    'itself.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  idempotent: 'with-effect',
  body: InvitationBody,
  reply: { 201: Person },
  example: exampleInvited,
  handle: async ({ db, settings }, request, principal) => {
    const { email, name, role } = request.body
    return await db.transaction(async (tx) => {
      const { actor, scopes } = actorOf(principal)
      const person = await invitePerson(tx, principal.accountId, {
        ...{ email, name, role, actor, scopes },
        invitedBy: principal.person,
        byMail: settings.signInLinks === true,
      })
      const body = stateOf(person)
      await keepAnswerOf(tx, request, 201, body)
      return body
    })
  },
})
