import { z } from 'zod'
import { requestSignInLink } from '../../../access/sign-in-links.ts'
import { AppError } from '../../../errors.ts'
import { requireOwnOrigin } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'

const LinkBody = z
  .strictObject({ email: z.string().trim().min(3).max(320).describe('E-mail address of a person') })
  .meta({ examples: [{ email: 'buyer@example.in' }] })
const LinkAsked = z
  .object({ detail: z.string().describe('The same for every address') })
  .meta({ id: 'SignInLinkAsked' })

export default operation({
  id: 'mailSignInLink',
  method: 'POST',
  path: '/app/session/link',
  summary: 'E-mail a sign-in link',
  description:
    'If the address belongs to a person of an account, it gets a link that works once, within 15 minutes. The answer is the same for every ' +
    'address, and for requests that come too often.',
  caller: 'public',
  audit: 'nothing',
  seesAll: true,
  errors: ['MAIL_UNAVAILABLE', 'CSRF_TOKEN_MISSING'],
  body: LinkBody,
  reply: { 202: LinkAsked },
  example: {
    detail: 'If the address is that of an account, a link is on its way to it.',
  },
  handle: async ({ db, settings }, request) => {
    requireOwnOrigin(request)
    if (settings.signInLinks !== true)
      throw new AppError('MAIL_UNAVAILABLE', 'This Panji sends no links to sign in. Sign in with an API key.')
    await requestSignInLink(db, request.body.email, request.ip)
    return { detail: 'If the address is that of an account, a link is on its way to it.' }
  },
})
