/**
 * The example: a "CRM" that is a folder, one file for each lead. It owes what every connector owes and is small enough to
 * be read at one sitting; docs/connectors.md walks through it.
 */
import type { Connector } from '../contract.ts'
import { FolderSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { signIns } from './sign-ins.ts'

/** @param deliveryDir the operator's folder; accounts choose none, they only get one of their own inside it. */
export function exampleCsv(deliveryDir: string): Connector {
  return {
    name: 'example-csv',
    label: 'A folder',
    signIns,
    batchSizeMax: 100,
    heedsOverrides: true,
    // A folder has no quota; the limiter is asked all the same, because the engine counts on it.
    callsPerSecond: 100,
    readSettings,
    open: ({ values }, options) => new FolderSession(deliveryDir, parseSettings(values), options),
  }
}
