/** Into which accounts an identity of the OIDC provider leads. */
import { expect, test } from 'vitest'
import { codesForIdentity } from '../../src/access/oidc/welcome-identity.ts'
import { newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { enterBy, newPerson } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)

test('an identity leads to every account that has its address, the one that was signed in to last first, and to suspended ones only where there are no others', async () => {
  const [first, second] = [await newCustomer(api, database), await newCustomer(api, database)]
  const { email } = await newPerson(api, database, first.accountId, 'admin')
  const offered = () => codesForIdentity(database.db, { issuer: 'https://id.example.com', subject: email, email })
  const accountOf = async (code: string) => (await enterBy(api, code)).json<{ user_id: string }>().user_id
  const leadsTo = async () => Promise.all((await offered()).map(({ code }) => accountOf(code)))
  expect(await leadsTo()).toEqual([first.accountId])
  await database.db.execute(
    `INSERT INTO access.person (account_id, email, name, role, joined_at, last_used_at)
     VALUES ($1, upper($2), 'Also here', 'viewer', now(), now() + interval '1 hour')`,
    [second.accountId, email],
  )
  const [newest, other] = await offered()
  expect([newest?.account, other?.account]).toEqual([await nameOf(second.accountId), await nameOf(first.accountId)])
  // The one that is not chosen stays good, and neither opens twice.
  expect(await accountOf(other?.code ?? '')).toBe(first.accountId)
  expect((await enterBy(api, other?.code ?? '')).statusCode).toBe(401)
  expect(await accountOf(newest?.code ?? '')).toBe(second.accountId)

  const suspend = (id: string) =>
    database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [id])
  await suspend(second.accountId)
  expect(await leadsTo()).toEqual([first.accountId])
  await suspend(first.accountId)
  expect(await offered()).toHaveLength(2)
})

const nameOf = async (accountId: string) => {
  const [found] = await database.db.query<{ username: string }>(
    'SELECT username FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return found?.username
}

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
  await codesForIdentity(database.db, identity)
  await codesForIdentity(database.db, identity)
  expect(await told()).toEqual(['provider-added'])
  await database.db.execute('DELETE FROM deliver.mail WHERE person_id = $1', [person.personId])
  await database.db.execute(
    'UPDATE access.person SET joined_at = NULL, invited_at = now(), oidc_issuer = NULL, oidc_subject = NULL WHERE person_id = $1',
    [person.personId],
  )
  await codesForIdentity(database.db, identity)
  expect(await told()).toEqual([])
})
