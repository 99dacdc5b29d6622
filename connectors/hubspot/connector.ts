/** The HubSpot connector: settings in, sessions out. */
import type { Connector } from '../contract.ts'
import { HubspotSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { options, signIns } from './sign-ins.ts'
import { batchSizeMax } from './upsert.ts'
import { webConnect } from './web-connect.ts'

const listsAlone =
  'records of HubSpot have no tags, and no app adds them to a campaign: name a static list (lists.companies, lists.contacts)'
const notOffered = { Tag: listsAlone, Tags: listsAlone, Campaign: listsAlone, Campaigns: listsAlone }

export const hubspot: Connector = {
  name: 'hubspot',
  label: 'HubSpot',
  signIns,
  options,
  heedsOverrides: true,
  notOffered,
  batchSizeMax,
  pushesAtOnce: 10,
  /** The smallest plans allow 100 calls in ten seconds; some are left to the customer's other apps. */
  callsPerSecond: 8,
  readSettings,
  open: (settings, options) => new HubspotSession(parseSettings(settings.values), options),
  webConnect,
}
