/** The form fields of the settings: a client of Zoho's API console. */
import {
  choice,
  managedFields,
  matchOn,
  onDeleted,
  type SettingField,
  type SignInWay,
  timeoutMs,
} from '../settings-form.ts'

const accountsUrl: SettingField = {
  ...{ name: 'accounts_url', label: 'Where your Zoho signs in', kind: 'text', required: true },
  hint: 'By the data centre of your account: https://accounts.zoho.in, .com, .eu and others.',
  initial: 'https://accounts.zoho.in',
}

/** Fields that are needed before Zoho's own page can be opened. */
export const ownPageFields: readonly SettingField[] = [accountsUrl]

export const signIns: readonly SignInWay[] = [
  {
    name: 'api-console',
    label: 'Client of the API console',
    fixed: {},
    fields: [
      accountsUrl,
      {
        ...{ name: 'client_id', label: 'Client id', kind: 'text', required: true },
        hint: 'Of a server-based or self client in api-console.zoho.in.',
      },
      {
        ...{ name: 'client_secret', label: 'Client secret', kind: 'secret', required: true },
        hint: 'Next to the client id.',
      },
      {
        ...{ name: 'refresh_token', label: 'Refresh token', kind: 'secret', required: true },
        hint: 'With the scopes that the manual names for Zoho CRM.',
      },
    ],
  },
]

export const options: readonly SettingField[] = [
  choice(
    'triggers',
    'Workflows, approvals and blueprints',
    { off: 'do not run', on: 'run for what is written' },
    'Those that your Zoho has for new and changed Leads.',
  ),
  choice(
    'rules',
    'Validation and layout rules',
    { off: 'are not asked', on: 'hold for what is written' },
    'Zoho asks them of programs only where they say so.',
  ),
  managedFields,
  matchOn('Email = Email'),
  onDeleted,
  {
    ...{ name: 'daily_credits', label: 'API credits of a day', kind: 'number', required: false },
    hint: 'In Zoho: Setup, Developer Hub, APIs and SDKs. Zoho says what is left of them and never how many there are.',
  },
  timeoutMs(60_000),
]
