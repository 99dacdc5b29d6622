/** Signing in at Salesforce's own page: a person of the org allows the app, and a refresh token comes of it. */
import type { ConsentRequest, WebConnect } from '../contract.ts'
import { CrmNetwork } from '../crm-network.ts'
import { consentAddress, exchangeCode, tokenToCome, withApp, without } from '../web-connect.ts'
import { parseSettings, type SalesforceSettings, salesforceHosts } from './settings.ts'
import { ownPageFields } from './sign-ins.ts'

/** `refresh_token` is what makes a delivery at night possible; `api` reads and writes records, fields included. */
const scopes = ['api', 'refresh_token']
const ofCredentials = ['auth', 'username', 'private_key', 'audience', 'client_id', 'client_secret', 'refresh_token']

type WebSettings = Extract<SalesforceSettings, { auth: 'refresh_token' }>

function settingsFor(request: ConsentRequest): WebSettings {
  const members = { login_url: 'https://login.salesforce.com', ...withApp(request, 'Salesforce') }
  return parseSettings({ ...members, auth: 'refresh_token', refresh_token: tokenToCome }) as WebSettings
}

export const webConnect: WebConnect = {
  fields: ownPageFields,
  consentAddress(request, state, codeChallenge) {
    const { login_url: loginUrl, client_id: clientId } = settingsFor(request)
    const address = `${loginUrl.replace(/(?<!\/)\/+$/, '')}/services/oauth2/authorize`
    return consentAddress({ address, clientId, redirectUri: request.redirectUri, scopes, state, codeChallenge })
  },
  async redeem(request, code, codeVerifier, options) {
    const settings = settingsFor(request)
    const refreshToken = await exchangeCode(
      {
        crm: 'Salesforce',
        network: new CrmNetwork(salesforceHosts, settings.sandbox_pass),
        tokenUrl: `${settings.login_url.replace(/(?<!\/)\/+$/, '')}/services/oauth2/token`,
        app: { clientId: settings.client_id, clientSecret: settings.client_secret ?? '' },
        redirectUri: request.redirectUri,
        code,
        codeVerifier,
        timeoutMs: settings.timeout_ms,
      },
      options,
    )
    return { ...settings, refresh_token: refreshToken }
  },
  // The app of a sign-in before asks again; that of pasted credentials may not have this page.
  lasting: (values) => without(values, values['auth'] === 'refresh_token' ? ['auth', 'refresh_token'] : ofCredentials),
}
