/** Sign-in at Zoho's own page: a user of the org allows the client, which receives a refresh token. */
import { tokenToCome, webConnectWith, withApp, without } from '../web-connect.ts'
import { neededScopes } from './administrator.ts'
import { parseSettings, zohoHosts } from './settings.ts'
import { ownPageFields } from './sign-ins.ts'

export const webConnect = webConnectWith({
  hosts: zohoHosts,
  fields: ownPageFields,
  scopes: neededScopes,
  settingsFor: (request) =>
    parseSettings({
      accounts_url: 'https://accounts.zoho.in',
      ...withApp(request, 'Zoho'),
      refresh_token: tokenToCome,
    }),
  consentPage: (settings) => `${settings.accounts_url}/oauth/v2/auth`,
  tokenUrl: (settings) => `${settings.accounts_url}/oauth/v2/token`,
  // Without both of these Zoho issues no refresh token to a user who has allowed the client before.
  more: { access_type: 'offline', prompt: 'consent' },
  lasting: (values) => without(values, ['refresh_token']),
})
