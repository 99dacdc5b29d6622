/** Signing in at HubSpot's own page: a person of the account allows the app, and a refresh token comes of it. */
import type { ConsentRequest, WebConnect } from '../contract.ts'
import { CrmNetwork } from '../crm-network.ts'
import { consentAddress, exchangeCode, tokenToCome, withApp, without } from '../web-connect.ts'
import { type HubspotSettings, hubspotHosts, parseSettings } from './settings.ts'

/** What set-up, delivery and erasure need, and no more. */
const scopes = [
  'oauth',
  ...['companies', 'contacts'].flatMap((object) => [
    `crm.objects.${object}.read`,
    `crm.objects.${object}.write`,
    `crm.schemas.${object}.read`,
    `crm.schemas.${object}.write`,
  ]),
]

const settingsFor = (request: ConsentRequest): HubspotSettings =>
  parseSettings({ ...withApp(request, 'HubSpot'), refresh_token: tokenToCome })

/** People sign in at the app's host of their region, programs at the API's. */
const pageHost = (baseUrl: string): string =>
  baseUrl.replace(/^https:\/\/api(-[a-z0-9]+)?\.hubapi\.com$/, 'https://app$1.hubspot.com')

export const webConnect: WebConnect = {
  // The token that comes of it says whose account it is.
  fields: [],
  consentAddress(request, state, codeChallenge) {
    const { base_url: baseUrl, client_id: clientId = '' } = settingsFor(request)
    const address = `${pageHost(baseUrl)}/oauth/authorize`
    return consentAddress({ address, clientId, redirectUri: request.redirectUri, scopes, state, codeChallenge })
  },
  async redeem(request, code, codeVerifier, options) {
    const settings = settingsFor(request)
    const refreshToken = await exchangeCode(
      {
        crm: 'HubSpot',
        network: new CrmNetwork(hubspotHosts, settings.sandbox_pass),
        tokenUrl: `${settings.base_url}/oauth/2026-03/token`,
        app: { clientId: settings.client_id ?? '', clientSecret: settings.client_secret ?? '' },
        redirectUri: request.redirectUri,
        code,
        codeVerifier,
        timeoutMs: settings.timeout_ms,
      },
      options,
    )
    return { ...settings, refresh_token: refreshToken }
  },
  lasting: (values) => without(values, ['access_token', 'refresh_token']),
}
