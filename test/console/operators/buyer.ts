/** The account of the sample world as its own people call the API, for what an operator meets of theirs. */
import type { OperatorDesk } from '../../support/operator-desk.ts'

export interface Listed<T> {
  readonly data: readonly T[]
  readonly total: number
}

export async function buyerToken({ call, instance }: OperatorDesk): Promise<string> {
  const login = await call<{ token: { access_token: string } }>('/api/auth/login', { api_key: instance.apiKey })
  return login.token.access_token
}
