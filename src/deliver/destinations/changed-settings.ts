/**
 * The settings of a destination after a change: new ones whole, or the stored ones under some options. Its row is held by the
 * transaction that writes them, so that credentials which a CRM renewed meanwhile are none that are lost.
 */
import type { ConnectorSettings } from '../../../connectors/contract.ts'
import { AppError } from '../../errors.ts'
import { type DeliveryParts, type DestinationRow, findConnector } from './open-destination.ts'
import { decryptSettings } from './settings-cipher.ts'

export interface SettingsChange {
  readonly settings?: unknown
  /** null: what stands where nobody chose. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/** @returns null where nothing is said of them. @throws AppError DESTINATION_INVALID naming each fault. */
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
  const said = Object.entries({ ...(stored as object), ...options }).filter(([, value]) => value !== null)
  return connector.readSettings(Object.fromEntries(said))
}
