/** Sign-in at Salesforce's own page: a user of the org allows the app, which receives a refresh token. */
import type { ConsentRequest } from '../contract.ts'
import { tokenToCome, webConnectWith, withApp, without } from '../web-connect.ts'
import { parseSettings, type SalesforceSettings, salesforceHosts } from './settings.ts'
import { ownPageFields } from './sign-ins.ts'

const ofCredentials = ['auth', 'username', 'private_key', 'audience', 'client_id', 'client_secret', 'refresh_token']

type WebSettings = Extract<SalesforceSettings, { auth: 'refresh_token' }>

function settingsFor(request: ConsentRequest): WebSettings {
  const members = { login_url: 'https://login.salesforce.com', ...withApp(request, 'Salesforce') }
  return parseSettings({ ...members, auth: 'refresh_token', refresh_token: tokenToCome }) as WebSettings
}

const loginHost = (settings: WebSettings): string => settings.login_url.replace(/(?<!\/)\/+$/, '')

export const webConnect = webConnectWith({
  hosts: salesforceHosts,
  fields: ownPageFields,
  // `refresh_token` allows deliveries without a user present; `api` reads and writes records, fields included.
  scopes: ['api', 'refresh_token'],
  settingsFor,
  consentPage: (settings) => `${loginHost(settings)}/services/oauth2/authorize`,
  tokenUrl: (settings) => `${loginHost(settings)}/services/oauth2/token`,
  // A previous web sign-in keeps its app; an app of pasted credentials may not support this page.
  lasting: (values) => without(values, values['auth'] === 'refresh_token' ? ['auth', 'refresh_token'] : ofCredentials),
})
