/** The Salesforce connector: settings in, sessions out. */
import type { Connector } from '../contract.ts'
import { collectionSizeMax } from './client.ts'
import { SalesforceSession } from './session.ts'
import { parseSettings, readSettings } from './settings.ts'
import { options, signIns } from './sign-ins.ts'
import { webConnect } from './web-connect.ts'

const noTags =
  'Salesforce has no tags that its API puts on a record: name a campaign (CampaignMember), or a picklist of your own'
const notOffered = { Tag: noTags, Tags: noTags, Topic: noTags, Topics: noTags }

export const salesforce: Connector = {
  name: 'salesforce',
  label: 'Salesforce',
  signIns,
  options,
  heedsOverrides: true,
  namesAccountAtSignIn: true,
  notOffered,
  batchSizeMax: collectionSizeMax,
  pushesAtOnce: 8,
  callsPerSecond: 10,
  readSettings,
  open: (settings, options) => new SalesforceSession(parseSettings(settings.values), options),
  webConnect,
}
