/** Into which of several accounts an identity of the OIDC provider leads. */
import { expect, test } from 'vitest'
import { codeForIdentity } from '../../src/access/oidc/welcome-identity.ts'
import { newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { enterBy, newPerson } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)

test('an identity leads to the account that its address was signed in to last, whichever it was bound to first, and to no suspended one', async () => {
  const [first, second] = [await newCustomer(api, database), await newCustomer(api, database)]
  const { email } = await newPerson(api, database, first.accountId, 'admin')
  const leadsTo = async () => {
    const code = await codeForIdentity(database.db, { issuer: 'https://id.example.com', subject: email, email })
    return (await enterBy(api, code)).json<{ user_id: string }>().user_id
  }
  expect(await leadsTo()).toBe(first.accountId)
  await database.db.execute(
    `INSERT INTO access.person (account_id, email, name, role, joined_at, last_used_at)
     VALUES ($1, upper($2), 'Also here', 'viewer', now(), now())`,
    [second.accountId, email],
  )
  expect(await leadsTo()).toBe(second.accountId)
  await database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [second.accountId])
  expect(await leadsTo()).toBe(first.accountId)
})

test('who had joined by links is told once that the provider lets them in, and who joins by it is not', async () => {
  const { accountId } = await newCustomer(api, database)
  const person = await newPerson(api, database, accountId, 'viewer')
  const told = async () =>
    (
      await database.db.query<{ change: string }>(
        `SELECT data ->> 'change' AS change FROM deliver.mail WHERE person_id = $1 AND type = 'sign-in-changed'`,
        [person.personId],
      )
    ).map(({ change }) => change)
  const { email } = person
  const identity = { issuer: 'https://id.example.com', subject: email, email }
  await codeForIdentity(database.db, identity)
  await codeForIdentity(database.db, identity)
  expect(await told()).toEqual(['provider-added'])
  await database.db.execute('DELETE FROM deliver.mail WHERE person_id = $1', [person.personId])
  await database.db.execute(
    'UPDATE access.person SET joined_at = NULL, invited_at = now(), oidc_issuer = NULL, oidc_subject = NULL WHERE person_id = $1',
    [person.personId],
  )
  await codeForIdentity(database.db, identity)
  expect(await told()).toEqual([])
})
