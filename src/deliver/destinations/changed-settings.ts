/**
 * The settings of a destination after a change: replaced whole, or the stored ones with some options changed. The
 * transaction that writes them holds the row's lock, so credentials that a CRM renews at the same time are not lost.
 */
import type { ConnectorSettings } from '../../../connectors/contract.ts'
import { AppError } from '../../errors.ts'
import { type DeliveryParts, type DestinationRow, findConnector } from './open-destination.ts'
import { decryptSettings } from './settings-cipher.ts'

export interface SettingsChange {
  readonly settings?: unknown
  /** null restores the default. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/** @returns null if the change contains no settings. @throws AppError DESTINATION_INVALID naming each fault. */
export function settingsAfter(
  { connectors, secretKey }: DeliveryParts,
  row: DestinationRow,
  { settings, options }: SettingsChange,
): ConnectorSettings | null {
  const connector = findConnector(connectors, row.connector)
  if (settings !== undefined) return connector.readSettings(settings)
  if (options === undefined) return null
  const known = new Set(connector.options?.map(({ name }) => name))
  const faults = Object.keys(options).flatMap((name) =>
    known.has(name) ? [] : [`${name}: no option of ${row.connector}`],
  )
  if (faults.length > 0) throw new AppError('DESTINATION_INVALID', `${faults.join('; ')}.`, { extra: { faults } })
  const stored = decryptSettings(row.settings, row, secretKey)
  const given = Object.entries({ ...(stored as object), ...options }).filter(([, value]) => value !== null)
  return connector.readSettings(Object.fromEntries(given))
}
