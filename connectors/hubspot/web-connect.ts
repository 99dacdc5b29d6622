/** Sign-in at HubSpot's own page: a user of the account allows the app, which receives a refresh token. */
import { tokenToCome, webConnectWith, withApp, without } from '../web-connect.ts'
import { neededScopes } from './administrator.ts'
import { hubspotHosts, parseSettings } from './settings.ts'

/** Users sign in at the app's host in their region, programs at the API's. */
const pageHost = (baseUrl: string): string =>
  baseUrl.replace(/^https:\/\/api(-[a-z0-9]+)?\.hubapi\.com$/, 'https://app$1.hubspot.com')

export const webConnect = webConnectWith({
  hosts: hubspotHosts,
  scopes: ['oauth', ...neededScopes],
  settingsFor: (request) => parseSettings({ ...withApp(request, 'HubSpot'), refresh_token: tokenToCome }),
  consentPage: (settings) => `${pageHost(settings.base_url)}/oauth/authorize`,
  tokenUrl: (settings) => `${settings.base_url}/oauth/2026-03/token`,
  lasting: (values) => without(values, ['access_token', 'refresh_token']),
})
