/** The form fields of the settings, by how the org lets an app sign in. */
import {
  choice,
  managedFields,
  matchOn,
  onDeleted,
  type SettingField,
  type SignInWay,
  timeoutMs,
} from '../settings-form.ts'

const loginUrl: SettingField = {
  ...{ name: 'login_url', label: 'Where your org signs in', kind: 'text', required: true },
  hint: 'Your My Domain, such as https://yours.my.salesforce.com; or https://login.salesforce.com, for a sandbox https://test.salesforce.com.',
}
const clientId: SettingField = {
  ...{ name: 'client_id', label: 'Consumer key', kind: 'text', required: true },
  hint: 'Of the connected app, or the external client app, in Setup.',
}
const clientSecret: SettingField = {
  ...{ name: 'client_secret', label: 'Consumer secret', kind: 'secret', required: true },
  hint: 'Next to the consumer key.',
}

const object = choice(
  'object',
  'What a lead becomes',
  { lead: 'a Lead', account: 'an Account with a Contact' },
  'As Accounts, companies and GST registrations have a Contact each, and directors are Contacts.',
)

/** Fields that are needed before the org's own sign-in page can be opened. */
export const ownPageFields: readonly SettingField[] = [{ ...loginUrl, initial: 'https://login.salesforce.com' }, object]

export const signIns: readonly SignInWay[] = [
  {
    ...{ name: 'client-credentials', label: 'Client credentials' },
    fixed: { auth: 'client_credentials' },
    fields: [{ ...loginUrl, hint: 'Your My Domain, such as https://yours.my.salesforce.com.' }, clientId, clientSecret],
  },
  {
    ...{ name: 'jwt', label: 'A signed assertion (JWT)' },
    fixed: { auth: 'jwt' },
    fields: [
      loginUrl,
      clientId,
      {
        ...{ name: 'username', label: 'User', kind: 'text', required: true },
        hint: 'Whose permissions are used, as he signs in: name@example.com.',
      },
      {
        ...{ name: 'private_key', label: 'Private key', kind: 'lines', required: true },
        hint: 'In PEM form; its certificate is the one of the app in Setup.',
      },
    ],
  },
  {
    ...{ name: 'refresh-token', label: 'Refresh token' },
    fixed: { auth: 'refresh_token' },
    fields: [
      loginUrl,
      clientId,
      {
        ...{ name: 'refresh_token', label: 'Refresh token', kind: 'secret', required: true },
        hint: 'What the app was given when a user allowed it.',
      },
      { ...clientSecret, required: false, hint: 'Where the app asks for it.' },
    ],
  },
]

export const options: readonly SettingField[] = [
  object,
  choice(
    'assignment_rule',
    'Assignment rule of new Leads',
    { off: 'none', default: 'the one that is active in the org' },
    'It routes Leads to their owners and may send them mail.',
  ),
  choice(
    'duplicate_rules',
    'When a duplicate rule warns',
    { off: 'save it all the same', on: 'reject the lead' },
    'A rule that blocks still blocks.',
  ),
  managedFields,
  matchOn('Email = Email'),
  onDeleted,
  timeoutMs(60_000),
]
