/** HubSpot: the contract of every connector, through the real SDK against the sandbox. */
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { createHubspotSandbox } from '../../connectors/hubspot/sandbox/sandbox.ts'
import { describeConnector } from './connector-suite.ts'

describeConnector({
  connector: hubspot,
  createSandbox: createHubspotSandbox,
  writeCall: '/batch/upsert',
  isWrite: ({ path }) => path.endsWith('/batch/upsert') || path.endsWith('/batch/archive'),
  externalIdOf: ({ properties }) => {
    const id = properties['panji_id']
    return typeof id === 'string' ? id : null
  },
  wrongCredentials: { access_token: 'pat-na1-refused' },
  shortTimeout: { timeout_ms: 400 },
})
