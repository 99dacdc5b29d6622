/** The form fields of the settings: the token of a private app, or an OAuth app with a refresh token. */
import { matchOn, onDeleted, type SettingField, type SignInWay, timeoutMs } from '../settings-form.ts'

const portal: SettingField = {
  ...{ name: 'portal_id', label: 'Id of the account', kind: 'text', required: false },
  hint: 'The number in the address of your HubSpot. Destinations into one account then share its limits.',
}

export const signIns: readonly SignInWay[] = [
  {
    name: 'private-app',
    label: 'Private app',
    fixed: {},
    fields: [
      {
        ...{ name: 'access_token', label: 'Access token', kind: 'secret', required: true },
        hint: 'In HubSpot: Settings, Integrations, Private apps. It may read and write companies and contacts, and their schemas.',
      },
      portal,
    ],
  },
  {
    name: 'oauth-app',
    label: 'OAuth app',
    fixed: {},
    fields: [
      {
        ...{ name: 'client_id', label: 'Client id', kind: 'text', required: true },
        hint: 'In the developer account of HubSpot, on the page of the app.',
      },
      {
        ...{ name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
        hint: 'Next to the client id.',
      },
      {
        ...{ name: 'refresh_token', label: 'Refresh token', kind: 'secret', required: true },
        hint: 'What the app was given when your account allowed it.',
      },
      portal,
    ],
  },
]

export const options: readonly SettingField[] = [matchOn('contacts.email = Email'), onDeleted, timeoutMs(30_000)]
