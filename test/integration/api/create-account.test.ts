/** Operators make accounts over HTTP: with a key that logs in, under their name, and no e-mail twice. */
import { expect, test } from 'vitest'
import { operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)

test('an account that an operator makes has a key that logs in, and nothing is open to it', async () => {
  const made = await api.post('/admin/users', operatorToken, { email: 'Meera@example.in', username: 'meera' })
  expect([made.statusCode, made.json()]).toEqual([
    201,
    { user_id: expect.any(String), email: 'Meera@example.in', api_key: expect.stringMatching(/^panji_\w{43}$/) },
  ])
  const { user_id, api_key } = made.json()
  const login = await api.post('/api/auth/login', undefined, { api_key })
  expect(login.json().user).toEqual({ name: 'meera', userId: user_id })
  const rows = await database.db.query('SELECT actor FROM access.audit WHERE action = $1 AND subject = $2', [
    ...['create account', user_id],
  ])
  expect(rows).toEqual([{ actor: 'operator:default' }])
  const again = await api.post('/admin/users', operatorToken, { email: 'meera@example.in' })
  expect([again.statusCode, again.json().error_code]).toEqual([409, 'CONFLICT'])
  expect((await api.post('/admin/users', operatorToken, { email: 'nobody' })).statusCode).toBe(400)
})
