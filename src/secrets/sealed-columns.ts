/** Every sealed column, as data: a rotation of the secret key reseals what is listed here, and loses what is not. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** How the bytes are stored: raw, as base64 text, or as such a text under `sealed` of a JSON object. */
  readonly form: 'bytes' | 'base64' | 'json'
  /** Expression that identifies the row to people. */
  readonly id: string
  /** Expression of the row that the value is bound to. */
  readonly boundTo: string
  readonly purpose: string
  /** Equal values are sealed to the same bytes. */
  readonly isRecognisable?: true
  /** Only needed for hours: one that cannot be opened does not stop a rotation, and its reader reports it. */
  readonly passing?: true
}

export const signingKeyColumn: SealedColumn = {
  table: 'access.signing_key',
  column: 'private_encrypted',
  form: 'bytes',
  id: 'kid',
  boundTo: 'kid',
  purpose: 'panji signing keys',
}

export const destinationColumn: SealedColumn = {
  table: 'deliver.destination',
  column: 'settings_encrypted',
  form: 'bytes',
  id: 'destination_id',
  boundTo: `destination_id || '|' || account_id`,
  purpose: 'panji destination settings',
}

export const receiptKeyColumn: SealedColumn = {
  table: 'deliver.receipt_key',
  column: 'private_encrypted',
  form: 'bytes',
  id: 'kid',
  boundTo: 'kid',
  purpose: 'panji receipt keys',
}

export const webhookColumn: SealedColumn = {
  table: 'deliver.webhook',
  column: 'secret_encrypted',
  form: 'bytes',
  id: 'webhook_id',
  boundTo: 'webhook_id::text',
  purpose: 'panji webhook secrets',
}

export const alertAddressColumn: SealedColumn = {
  table: 'runtime.alert_channel',
  column: 'address_encrypted',
  form: 'bytes',
  id: 'channel_id',
  boundTo: 'channel_id::text',
  purpose: 'panji alert addresses',
}

export const alertSecretColumn: SealedColumn = {
  table: 'runtime.alert_channel',
  column: 'secret_encrypted',
  form: 'bytes',
  id: 'channel_id',
  boundTo: 'channel_id::text',
  purpose: 'panji alert secrets',
}

export const consentColumn: SealedColumn = {
  table: 'deliver.consent',
  column: 'sealed',
  form: 'bytes',
  id: 'consent_id',
  boundTo: `consent_id || '|' || account_id`,
  purpose: 'panji consents',
  passing: true,
}

export const totpColumn: SealedColumn = {
  table: 'access.operator_totp',
  column: 'secret_encrypted',
  form: 'bytes',
  id: 'operator_id',
  boundTo: 'operator_id::text',
  purpose: 'panji second factors',
}

export const personTotpColumn: SealedColumn = {
  table: 'access.person_totp',
  column: 'secret_encrypted',
  form: 'bytes',
  id: 'person_id',
  boundTo: 'person_id::text',
  purpose: 'panji second factors of people',
}

export const keptAnswerColumn: SealedColumn = {
  table: 'access.idempotency',
  column: 'sealed',
  form: 'bytes',
  id: 'account_id',
  boundTo: `account_id || '|' || key`,
  purpose: 'panji kept answers',
  passing: true,
}

/** A rotation keeps this key: the hashes of the list outlast the secret key that seals it. */
export const suppressionKeyColumn: SealedColumn = {
  table: 'runtime.suppression_key',
  column: 'sealed',
  form: 'bytes',
  id: 'only_one',
  boundTo: `'suppression list'`,
  purpose: 'panji suppression list',
}

/**
 * A URL is bound to its form without credentials, because it passes from the schedule to the job, and from there to the
 * run. It is recognisable, because runs are compared by their addresses, also after a rotation.
 */
const sourceAddress = 'panji source addresses'

export const scheduledAddressColumn: SealedColumn = {
  table: 'runtime.schedule',
  column: 'payload',
  form: 'json',
  id: 'name',
  boundTo: `payload ->> 'input'`,
  purpose: sourceAddress,
  isRecognisable: true,
}

/** Exists once the queue has been started. */
const queuedAddressColumn: SealedColumn = {
  table: 'pgboss.job',
  column: 'data',
  form: 'json',
  id: 'id',
  boundTo: `data ->> 'input'`,
  purpose: sourceAddress,
  isRecognisable: true,
  passing: true,
}

const runAddressColumn: SealedColumn = {
  table: 'ingest.run',
  column: 'sealed_input',
  form: 'base64',
  id: 'run_id',
  boundTo: 'input',
  purpose: sourceAddress,
  isRecognisable: true,
  passing: true,
}

export const sealedColumns: readonly SealedColumn[] = [
  signingKeyColumn,
  destinationColumn,
  receiptKeyColumn,
  webhookColumn,
  alertAddressColumn,
  alertSecretColumn,
  consentColumn,
  totpColumn,
  personTotpColumn,
  keptAnswerColumn,
  suppressionKeyColumn,
  scheduledAddressColumn,
  queuedAddressColumn,
  runAddressColumn,
]
