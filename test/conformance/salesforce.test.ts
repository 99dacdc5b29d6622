import { salesforce } from '../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../connectors/salesforce/sandbox/sandbox.ts'
import { describeConnector } from './connector-suite.ts'

describeConnector({
  connector: salesforce,
  createSandbox: () => createSalesforceSandbox(),
  writeCall: 'PATCH /services/data/v66.0/composite/sobjects/Lead',
  isWrite: ({ method, path }) =>
    method !== 'GET' && !path.startsWith('/services/oauth2') && !path.includes('/tooling/'),
  externalIdOf: ({ object, properties }) => (object === 'Lead' ? String(properties['Panji_Id__c']) : null),
  wrongCredentials: { client_secret: 'wrong' },
  shortTimeout: { timeout_ms: 300 },
})
