/** Signing in at Zoho's own page: a person of the org allows the client, and a refresh token comes of it. */
import type { ConsentRequest, WebConnect } from '../contract.ts'
import { CrmNetwork } from '../crm-network.ts'
import { consentAddress, exchangeCode, tokenToCome, withApp, without } from '../web-connect.ts'
import { parseSettings, type ZohoSettings, zohoHosts } from './settings.ts'
import { ownPageFields } from './sign-ins.ts'

const scopes = ['ZohoCRM.modules.leads.ALL', 'ZohoCRM.settings.fields.ALL', 'ZohoCRM.org.READ', 'ZohoCRM.coql.READ']

const settingsFor = (request: ConsentRequest): ZohoSettings =>
  parseSettings({
    accounts_url: 'https://accounts.zoho.in',
    ...withApp(request, 'Zoho'),
    refresh_token: tokenToCome,
  })

export const webConnect: WebConnect = {
  fields: ownPageFields,
  consentAddress(request, state, codeChallenge) {
    const { accounts_url: accounts, client_id: clientId } = settingsFor(request)
    const { redirectUri } = request
    // Without both of these Zoho gives a refresh token to nobody who has allowed it before.
    const more = { access_type: 'offline', prompt: 'consent' }
    const address = `${accounts}/oauth/v2/auth`
    return consentAddress({ address, clientId, redirectUri, scopes, state, codeChallenge, more })
  },
  async redeem(request, code, codeVerifier, options) {
    const settings = settingsFor(request)
    const refreshToken = await exchangeCode(
      {
        crm: 'Zoho',
        network: new CrmNetwork(zohoHosts, settings.sandbox_pass),
        tokenUrl: `${settings.accounts_url}/oauth/v2/token`,
        app: { clientId: settings.client_id, clientSecret: settings.client_secret },
        redirectUri: request.redirectUri,
        code,
        codeVerifier,
        timeoutMs: settings.timeout_ms,
      },
      options,
    )
    return { ...settings, refresh_token: refreshToken }
  },
  lasting: (values) => without(values, ['refresh_token']),
}
