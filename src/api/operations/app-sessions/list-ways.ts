import { z } from 'zod'
import { oidcPath } from '../../../access/oidc/oidc-settings.ts'
import { operation } from '../../operation.ts'

const Ways = z
  .object({
    mailed_link: z.boolean().describe('A link is mailed to whom POST /app/session/link names'),
    sandbox_crms: z.boolean().describe('It is a sample world: sandbox CRMs run beside it'),
    oidc: z
      .object({ name: z.string().describe('Of the provider'), path: z.string().describe('Where a browser begins') })
      .nullable()
      .describe("People sign in at the operator's OIDC provider"),
  })
  .meta({ id: 'SignInWays' })

export default operation({
  id: 'listSignInWays',
  method: 'GET',
  path: '/app/sign-in',
  tag: 'Console sessions',
  summary: 'How people sign in to this Panji with a browser',
  description:
    'What is not set up is not offered. An API key and a link that an operator hands out open a session in any case.',
  caller: 'public',
  audit: 'nothing',
  seesAll: true,
  reply: { 200: Ways },
  example: { mailed_link: true, oidc: { name: 'Example', path: oidcPath }, sandbox_crms: false },
  handle:
    ({ settings }) =>
    async () => ({
      mailed_link: settings.signInLinks === true,
      sandbox_crms: settings.sandboxPages !== undefined,
      oidc: settings.oidc ? { name: settings.oidc.name, path: oidcPath } : null,
    }),
})
