/** Zoho CRM v8 as a destination: each lead becomes a Lead, found again by the unique field Panji Id. */
import type { Connector } from '../contract.ts'
import { ZohoSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { options, signIns } from './sign-ins.ts'
import { webConnect } from './web-connect.ts'

export const zoho: Connector = {
  name: 'zoho',
  label: 'Zoho CRM',
  signIns,
  options,
  batchSizeMax: 100,
  heedsOverrides: true,
  pushesAtOnce: 4,
  // Zoho counts calls that are under way at once, 5 in the smallest edition, and none in a second.
  callsPerSecond: 10,
  readSettings,
  open: ({ values }, options) => new ZohoSession(parseSettings(values), options),
  webConnect,
}
