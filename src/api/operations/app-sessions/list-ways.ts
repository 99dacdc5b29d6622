import { z } from 'zod'
import { oidcPath } from '../../../access/oidc/oidc-settings.ts'
import { operation } from '../../operation.ts'

const Ways = z
  .object({
    mailed_link: z.boolean().describe('POST /app/session/link mails a sign-in link'),
    sandbox_crms: z.boolean().describe('A sample world: sandbox CRMs run alongside it'),
    oidc: z
      .object({
        name: z.string().describe('Name of the provider'),
        path: z.string().describe('Where the browser starts'),
      })
      .nullable()
      .describe("People sign in at the operator's OIDC provider"),
  })
  .meta({ id: 'SignInWays' })

export default operation({
  id: 'listSignInWays',
  method: 'GET',
  path: '/app/sign-in',
  summary: 'List the ways to sign in with a browser',
  description: 'Ways that are not configured are left out. An API key, and a link from an operator, always work.',
  caller: 'public',
  audit: 'nothing',
  seesAll: true,
  reply: { 200: Ways },
  example: { mailed_link: true, oidc: { name: 'Example', path: oidcPath }, sandbox_crms: false },
  handle: async ({ settings }) => ({
    mailed_link: settings.signInLinks === true,
    sandbox_crms: settings.sandboxPages !== undefined,
    oidc: settings.oidc ? { name: settings.oidc.name, path: oidcPath } : null,
  }),
})
