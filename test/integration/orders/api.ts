/** The order routes on the real server; a call names its account, which is logged in at its first call. */
import { issueApiKey } from '../../../src/access/api-keys.ts'
import { logInCustomer, type TestApi, useApi } from '../../support/api.ts'
import type { TestDatabase } from '../../support/database.ts'

export function useOrderApi(database: TestDatabase) {
  const api: TestApi = useApi(database)
  const tokens = new Map<string, Promise<string>>()
  const logIn = async (accountId: string) => {
    const { apiKey } = await issueApiKey(database.db, accountId)
    return (await logInCustomer(api, { accountId, apiKey })).token
  }
  const tokenOf = (accountId: string) => {
    const token = tokens.get(accountId) ?? logIn(accountId)
    tokens.set(accountId, token)
    return token
  }
  return {
    queue: api.queue,
    get: async (accountId: string, url: string) => api.get(url, await tokenOf(accountId)),
    post: async (accountId: string, url: string, payload: object = {}, headers: object = {}) =>
      api.post(url, await tokenOf(accountId), payload, headers),
    document: async () => (await api.get('/openapi.json')).json(),
  }
}
