/**
 * The example connector: the "CRM" is a folder with one file per lead. It fulfils the whole contract and is small
 * enough to read at one sitting; docs/connectors.md walks through it.
 */
import type { Connector } from '../contract.ts'
import { FolderSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { signIns } from './sign-ins.ts'

/** @param deliveryDir the operator's folder; each account gets a subfolder and cannot choose a path. */
export function exampleCsv(deliveryDir: string): Connector {
  return {
    name: 'example-csv',
    label: 'A folder',
    signIns,
    batchSizeMax: 100,
    heedsOverrides: true,
    // A folder has no quota, but the engine expects every connector to use the limiter.
    callsPerSecond: 100,
    readSettings,
    open: ({ values }, options) => new FolderSession(deliveryDir, parseSettings(values), options),
  }
}
