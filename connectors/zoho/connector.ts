/** The Zoho CRM v8 connector: each lead becomes a Lead, found again by the unique field Panji Id. */
import type { Connector } from '../contract.ts'
import { ZohoSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { options, signIns } from './sign-ins.ts'
import { webConnect } from './web-connect.ts'
import { batchSizeMax } from './write.ts'

const noCampaigns =
  'Zoho adds leads to a campaign one by one alone, which Panji does not do: name a tag (Tag), and let a workflow rule make members of it'
const notOffered = { Campaign: noCampaigns, Campaigns: noCampaigns }

export const zoho: Connector = {
  name: 'zoho',
  label: 'Zoho CRM',
  signIns,
  options,
  batchSizeMax,
  heedsOverrides: true,
  notOffered,
  pushesAtOnce: 4,
  // Zoho limits concurrent calls, to 5 in the smallest edition, and not calls per second.
  callsPerSecond: 10,
  readSettings,
  open: ({ values }, options) => new ZohoSession(parseSettings(values), options),
  webConnect,
}
