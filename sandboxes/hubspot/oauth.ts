/**
 * The token endpoint: exchanges a code of the consent page, or a refresh token, for an access token of half an hour.
 */
import type { ConsentDesk } from '../consent.ts'
import type { WireAnswer } from '../kit.ts'
import { validationError } from './replies.ts'
import { grantToken, type SandboxState } from './state.ts'

/** @param rotate issues a new refresh token on each use; the previous one becomes invalid. */
export function grant(
  state: SandboxState,
  form: ReadonlyMap<string, string>,
  { rotate, consent }: { readonly rotate: boolean; readonly consent: ConsentDesk },
): WireAnswer {
  const { clientId, clientSecret } = state.credentials
  const isCode = form.get('grant_type') === 'authorization_code'
  if (!isCode && form.get('grant_type') !== 'refresh_token')
    return validationError('grant_type must be authorization_code or refresh_token')
  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
    return { status: 400, body: { status: 'error', message: 'client unknown or secret wrong', category: 'BAD_CLIENT' } }
  if (isCode && !consent.redeem(form))
    return {
      status: 400,
      body: { status: 'error', message: 'missing or unknown auth code', category: 'BAD_AUTH_CODE' },
    }
  if (!isCode && form.get('refresh_token') !== state.refreshToken)
    return { status: 400, body: { status: 'error', message: 'refresh token invalid', category: 'BAD_REFRESH_TOKEN' } }
  const { accessToken, refreshToken } = grantToken(state, rotate && !isCode)
  return {
    status: 200,
    body: { access_token: accessToken, refresh_token: refreshToken, expires_in: 1800, token_type: 'bearer' },
  }
}
