import { z } from 'zod'
import { logIn } from '../../../access/sessions.ts'
import { authenticateKey } from '../../api-key-authenticator.ts'
import { uuid } from '../../formats.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import example from './log-in.example.json' with { type: 'json' }

const LoginBody = z
  .strictObject({
    api_key: z.string().trim().min(1).describe('From the security settings of your profile; begins with panji_.'),
  })
  .meta({ examples: [{ api_key: 'panji_…' }] })
const LoginResult = z
  .object({
    success: z.boolean(),
    message: z.string(),
    user: z.object({ name: z.string(), userId: uuid('ID of the account') }),
    token: z.object({ access_token: z.string(), refresh_token: z.string(), token_type: z.literal('bearer') }),
  })
  .meta({ id: 'Login' })

export default operation({
  id: 'logIn',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Exchange an API key for an access token',
  description:
    'The access token lasts one hour, the refresh token 30 days. Wrong keys are throttled with 429; the right one always gets in.',
  caller: 'public',
  audit: 'act',
  seesAll: true,
  exempt: true,
  errors: ['INVALID_API_KEY', 'ACCOUNT_SUSPENDED', 'ADDRESS_BLOCKED', 'LOGIN_THROTTLED', 'SECRET_KEY_WRONG'],
  body: LoginBody,
  reply: { 200: LoginResult },
  example,
  handle: async (context, request) => {
    const { ip, body } = request
    const login = await authenticateKey(context, body.api_key, ip, () =>
      logIn(context.db, context.keyRing, body.api_key, ip),
    )
    addReadings(request, { accountId: login.accountId, credential: login.apiKeyId })
    return {
      success: true,
      message: 'Logged in.',
      user: { name: login.username, userId: login.accountId },
      token: { access_token: login.accessToken, refresh_token: login.refreshToken, token_type: 'bearer' as const },
    }
  },
})
