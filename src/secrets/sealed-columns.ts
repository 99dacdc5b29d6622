/** Every column that is sealed, as data: a rotation of the secret key seals anew what stands here, and loses what does not. */
export interface SealedColumn {
  readonly table: string
  readonly id: string
  readonly column: string
  /** Expression of the row that the value is bound to. */
  readonly boundTo: string
  readonly purpose: string
  /** Which rows hold a value. */
  readonly where: string
}

export const signingKeyColumn: SealedColumn = {
  table: 'access.signing_key',
  id: 'kid',
  column: 'private_encrypted',
  boundTo: 'kid',
  purpose: 'panji signing keys',
  where: 'true',
}

export const destinationColumn: SealedColumn = {
  table: 'deliver.destination',
  id: 'destination_id',
  column: 'settings_encrypted',
  boundTo: `destination_id || '|' || account_id`,
  purpose: 'panji destination settings',
  where: `settings_encrypted <> ''`,
}

export const sealedColumns: readonly SealedColumn[] = [signingKeyColumn, destinationColumn]
