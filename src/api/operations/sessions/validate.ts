import { decodeJwt } from 'jose'
import { z } from 'zod'
import { findBrowserSession } from '../../../access/sessions.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { timestamp, uuid } from '../../formats.ts'
import { bearerOf } from '../../hooks/authentication.ts'
import { cookieOf } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'

const ValidToken = z
  .object({
    valid: z.literal(true),
    user: z.object({ name: z.string(), userId: uuid('ID of the account') }),
    authenticated_via: z.literal('api_key'),
    expires_at: timestamp('at which the access token expires'),
    scopes: z.array(z.enum(keyScopes)).describe('Scopes of the key that opened the session'),
  })
  .meta({ id: 'ValidToken' })

export default operation({
  id: 'validateToken',
  method: 'GET',
  path: '/api/auth/validate',
  summary: 'Validate an access token',
  description: 'An invalid token is refused as on every other call: 401 or 403 with the reason.',
  caller: { scopes: [] },
  audit: 'nothing',
  seesAll: true,
  reply: { 200: ValidToken },
  example: {
    valid: true,
    user: {
      name: 'customer1',
      userId: '10737f23-ebe5-4ffe-88ad-1f5c44162bd8',
    },
    authenticated_via: 'api_key',
    expires_at: '2026-11-23T18:06:35.000Z',
    scopes: ['read'],
  },
  handle: async ({ db }, request, { accountId, username, scopes }) => {
    // The hook has already verified the token or cookie; this only reads it again.
    const cookie = request.headers.authorization === undefined ? cookieOf(request, 'app') : undefined
    const expiresAt = cookie
      ? ((await findBrowserSession(db, cookie))?.expiresAt ?? new Date(0))
      : new Date((decodeJwt(bearerOf(request)).exp ?? 0) * 1000)
    return {
      valid: true as const,
      user: { name: username, userId: accountId },
      authenticated_via: 'api_key' as const,
      expires_at: expiresAt.toISOString(),
      scopes,
    }
  },
})
