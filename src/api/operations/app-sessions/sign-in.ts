import { z } from 'zod'
import { codeUnknown, findBrowserSession, signInBrowser, signInByCode } from '../../../access/sessions.ts'
import { isSignInCodeShaped } from '../../../access/sign-in-links.ts'
import type { Db } from '../../../db/db.ts'
import { holdsSample } from '../../../ingest/run/sample-world.ts'
import { authenticateKey } from '../../api-key-authenticator.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { cookieOf, requireOwnOrigin, setCookie } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'
import type { ServerContext } from '../../server-context.ts'
import { totpOrRecovery } from '../second-factor/factor-schemas.ts'
import { Session, sessionState } from './session-schemas.ts'

const SignInBody = z
  .union([
    z.strictObject({ api_key: z.string().min(1).max(512).describe('A key of the account; begins with panji_.') }),
    z.strictObject({
      code: z.string().min(1).max(512).describe('Code of the link that was mailed, or handed out by an operator'),
      totp: totpOrRecovery.optional(),
    }),
  ])
  .meta({ examples: [{ api_key: 'panji_…' }, { code: '…' }] })

export default operation({
  id: 'signInToApp',
  method: 'POST',
  path: '/app/session',
  summary: 'Sign an account user in with a browser',
  description:
    'With an API key, or with the code of a mailed link. Sets the httpOnly cookie panji_app for twelve hours, or until it has been idle for one. Any earlier session of the browser ends.',
  caller: 'public',
  audit: 'act',
  seesAll: true,
  errors: [
    'INVALID_API_KEY',
    'INVALID_SIGN_IN_CODE',
    'SECOND_FACTOR_REQUIRED',
    'SECRET_KEY_WRONG',
    'ACCOUNT_SUSPENDED',
    'ADDRESS_BLOCKED',
    'CSRF_TOKEN_MISSING',
    'LOGIN_THROTTLED',
  ],
  body: SignInBody,
  reply: { 201: Session },
  example: {
    user_id: '10737f23-ebe5-4ffe-88ad-1f5c44162bd8',
    email: 'customer1@example.com',
    name: 'customer1',
    scopes: ['read'],
    person: null,
    must_add_second_factor: false,
    viewed_by: null,
    is_sample_world: false,
    csrf_token: '…',
    expires_at: '2026-11-24T05:06:36.130Z',
  },
  handle: async (context, request, _caller, reply) => {
    const { db } = context
    requireOwnOrigin(request)
    const { body, ip } = request
    const login = await ('code' in body
      ? enterByCode(context, body, ip)
      : authenticateKey(context, body.api_key, ip, () => signInBrowser(db, body.api_key, ip)))
    const { owner } = login
    addReadings(request, { accountId: owner.accountId, credential: owner.apiKeyId ?? owner.person?.personId ?? '-' })
    await endFormer(db, cookieOf(request, 'app'))
    setCookie(request, reply, 'app', login)
    return sessionState({ ...owner, viewer: null }, login, await holdsSample(db))
  },
})

/** A code that does not have the shape of ours is rejected without a query. */
async function enterByCode(
  { db, credentials, delivery }: ServerContext,
  { code, totp }: { code: string; totp?: string | undefined },
  ip: string,
) {
  if (!isSignInCodeShaped(code) || !(await credentials.signInCode(code))) throw codeUnknown()
  return signInByCode(db, delivery.secretKey, { code, totp, ip })
}

/** Signing in again ends the session that the browser had. */
async function endFormer(db: Db, cookie: string | undefined): Promise<void> {
  const former = cookie && (await findBrowserSession(db, cookie))
  if (!former) return
  await db.execute('UPDATE access.session SET revoked_at = now() WHERE session_id = $1 AND revoked_at IS NULL', [
    former.caller.sessionId,
  ])
}
