import { z } from 'zod'
import { codeRefused, isConsoleCodeShaped, takeConsoleCode } from '../../../access/console-codes.ts'
import { openConsoleSession } from '../../../access/console-sessions.ts'
import { proofOf } from '../../../access/operator-proof.ts'
import type { KnownOperator } from '../../../access/operators.ts'
import { requireSecondFactor } from '../../../access/second-factor.ts'
import { holdsSample } from '../../../ingest/run/sample-world.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { cookieOf, requireOwnOrigin, setCookie } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'
import { totp } from '../second-factor/factor-schemas.ts'
import { Session, sessionState } from './session-schemas.ts'

const SignInBody = z
  .union([
    z.strictObject({
      token: z.string().min(1).max(512).describe('An operator token'),
      totp: totp.optional().describe('Code of the authenticator, where the operator has a second factor'),
    }),
    z.strictObject({
      code: z.string().min(1).max(512).describe('Code of the link that `panji start` prints; works once'),
    }),
  ])
  .meta({ examples: [{ token: 'panji_op_…' }] })

export default operation({
  id: 'signInToConsole',
  method: 'POST',
  path: '/console/session',
  summary: 'Sign an operator in with a browser',
  description:
    'With a token, or with the code of a printed link. Sets the httpOnly cookie panji_console for twelve hours, or until it has been idle for one. Any earlier session of the browser ends.',
  caller: 'public',
  audit: 'act',
  errors: [
    'OPERATOR_TOKEN_REQUIRED',
    'SECOND_FACTOR_REQUIRED',
    'CSRF_TOKEN_MISSING',
    'LOGIN_THROTTLED',
    'SECRET_KEY_WRONG',
  ],
  body: SignInBody,
  reply: { 201: Session },
  example: {
    name: 'default',
    role: 'owner',
    is_sample_world: false,
    csrf_token: '…',
    expires_at: '2026-11-24T05:06:40.095Z',
  },
  handle: async (
    { db, credentials, authenticateOperator, marks, operatorNames, delivery },
    request,
    _caller,
    reply,
  ) => {
    requireOwnOrigin(request)
    const { body, ip } = request
    // A code that does not have the shape of ours is rejected without a query.
    if ('code' in body && !(isConsoleCodeShaped(body.code) && (await credentials.consoleCode(body.code)))) {
      throw codeRefused()
    }
    const signedIn: KnownOperator = { id: 'environment', name: operatorNames[0] ?? 'default', role: 'owner' }
    const operator = 'code' in body ? signedIn : await authenticateOperator(body.token, ip)
    request.operatorId = operator.id
    request.operatorName = operator.name
    const proof = 'token' in body ? proofOf(body.token) : undefined
    request.operatorProof = proof ?? null
    addReadings(request, { credential: operator.id, ...(proof === undefined ? {} : { proof }) })
    if ('token' in body) await requireSecondFactor(db, delivery.secretKey, operator, body.totp)
    const session = await db.transaction(async (tx) => {
      if ('code' in body) await takeConsoleCode(tx, body.code)
      return openConsoleSession(tx, marks, operator, { ip, replaces: cookieOf(request, 'console'), proof })
    })
    setCookie(request, reply, 'console', session)
    return sessionState(operator, session, await holdsSample(db))
  },
})
