/** The Salesforce connector: settings in, sessions out. */
import type { Connector } from '../contract.ts'
import { collectionSizeMax } from './client.ts'
import { SalesforceSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { options, signIns } from './sign-ins.ts'
import { webConnect } from './web-connect.ts'

export const salesforce: Connector = {
  name: 'salesforce',
  label: 'Salesforce',
  signIns,
  options,
  heedsOverrides: true,
  batchSizeMax: collectionSizeMax,
  pushesAtOnce: 8,
  callsPerSecond: 10,
  readSettings,
  open: (settings, options) => new SalesforceSession(parseSettings(settings.values), options),
  webConnect,
}
