/**
 * The token endpoint of a data centre: exchanges a code of the consent page, or a refresh token, for access tokens of
 * an hour, ten in ten minutes.
 */
import type { WireAnswer } from '../kit.ts'
import type { Org } from './state.ts'

/** @param apiDomain the API's address, which Zoho returns. */
export function grant(org: Org, form: ReadonlyMap<string, string>, apiDomain: string): WireAnswer {
  const { clientId, clientSecret, refreshToken } = org.credentials
  // Refusals have status 200.
  const refusal = (error: string): WireAnswer => ({ status: 200, body: { error } })
  const isCode = form.get('grant_type') === 'authorization_code'
  if (!isCode && form.get('grant_type') !== 'refresh_token') return refusal('invalid_grant')
  if (form.get('client_id') !== clientId) return refusal('invalid_client')
  if (form.get('client_secret') !== clientSecret) return refusal('invalid_client_secret')
  if (isCode ? !org.consent.redeem(form) : form.get('refresh_token') !== refreshToken) return refusal('invalid_code')
  const token = org.issueToken(Date.now())
  if (token === null) return tooManyTokens
  const scope = 'ZohoCRM.modules.ALL ZohoCRM.settings.ALL ZohoCRM.org.READ ZohoCRM.coql.READ ZohoCRM.users.READ'
  const more = isCode ? { refresh_token: refreshToken } : {}
  const body = { ...more, access_token: token, scope, api_domain: apiDomain, token_type: 'Bearer', expires_in: 3600 }
  return { status: 200, body }
}

export const tooManyTokens: WireAnswer = {
  status: 400,
  body: {
    error_description: 'You have made too many requests continuously. Please try again after some time.',
    error: 'Access Denied',
    status: 'failure',
  },
}
