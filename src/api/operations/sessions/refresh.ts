import { z } from 'zod'
import { refreshAccessToken } from '../../../access/sessions.ts'
import { AppError } from '../../../errors.ts'
import { operation } from '../../operation.ts'

const RefreshBody = z
  .strictObject({ refresh_token: z.string().min(1).describe('token.refresh_token of the login') })
  .meta({ examples: [{ refresh_token: '…' }] })
const RefreshResult = z
  .object({ access_token: z.string(), token_type: z.literal('bearer') })
  .meta({ id: 'RenewedToken' })
/** 32 random bytes in base64url. */
const refreshTokenShape = /^[\w-]{43}$/

export default operation({
  id: 'refreshToken',
  method: 'POST',
  path: '/api/auth/refresh-token',
  summary: 'Renew the access token',
  description: 'The refresh token does not change until it expires, 30 days after the login.',
  caller: 'public',
  audit: 'nothing',
  seesAll: true,
  exempt: true,
  errors: ['INVALID_REFRESH_TOKEN', 'ACCOUNT_SUSPENDED', 'ADDRESS_BLOCKED', 'SECRET_KEY_WRONG'],
  body: RefreshBody,
  reply: { 200: RefreshResult },
  example: {
    access_token: 'eyJ…',
    token_type: 'bearer',
  },
  handle: async ({ db, keyRing, credentials }, request) => {
    const { refresh_token: token } = request.body
    if (!refreshTokenShape.test(token) || !(await credentials.refreshToken(token))) {
      throw new AppError(
        'INVALID_REFRESH_TOKEN',
        'The refresh token is unknown, expired or revoked. Log in again with the API key.',
      )
    }
    return {
      access_token: await refreshAccessToken(db, keyRing, token, request.ip),
      token_type: 'bearer' as const,
    }
  },
})
