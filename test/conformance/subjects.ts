/** The connectors of the house, as the suite drives them. */
import { exampleCsv } from '../../connectors/example-csv/connector.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { zoho } from '../../connectors/zoho/connector.ts'
import { createHubspotSandbox, type HubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox, type SalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { createZohoSandbox, type ZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { asJobs } from './as-jobs.ts'
import { createFolderSandbox, deliveryDir, folderAccount } from './folder-sandbox.ts'
import { joining } from './joining.ts'
import type { ConnectorUnderTest } from './promises/world.ts'

/** What the columns have in common, with the CRM's own names of the address and of the person's fields. */
const placesOf = (account: Places, person: Places): ConnectorUnderTest['places'] => {
  const { Website: _, ...gst } = account
  return { company: account, gst, director: person }
}
type Places = Readonly<Record<string, string>>
const address = (prefix: string, zip: string): Places => ({
  Street: `${prefix}Street`,
  City: `${prefix}City`,
  State: `${prefix}State`,
  Zip_Code: `${prefix}${zip}`,
  Country: `${prefix}Country`,
})
const leadPlaces: Places = {
  ...{ Last_Name: 'LastName', Email: 'Email', Mobile: 'MobilePhone' },
  ...address('', 'PostalCode'),
}
const companyPlaces: Places = { ...leadPlaces, Company: 'Company', Phone: 'Phone', Website: 'Website' }

const leadsOfSalesforce: ConnectorUnderTest = {
  connector: salesforce,
  speaksTo: 'server',
  createSandbox: () => createSalesforceSandbox(),
  createGuardedSandbox: () => createSalesforceSandbox({ mayCreateFields: false }),
  writeCall: '/services/data/v66.0/composite/sobjects',
  isWrite: ({ method, path }) =>
    method !== 'GET' && !path.startsWith('/services/oauth2') && !/\/tooling\/|\/composite$/.test(path),
  isRead: ({ path }) => /\/(query\?|composite$)/.test(path),
  externalIdOf: ({ object, properties }) => (object === 'Lead' ? String(properties['Panji_Id__c']) : null),
  places: placesOf(companyPlaces, { ...leadPlaces, First_Name: 'FirstName' }),
  ownershipName: (field) => field,
  adoption: { over: { match_on: [{ Email: 'Email' }] }, identity: 'Panji_Id__c', several: true },
  joins: joining.salesforce,
  noRoom: {
    code: 'STORAGE_LIMIT_EXCEEDED',
    fill(sandbox) {
      const org = sandbox as SalesforceSandbox
      org.fill({ statusCode: 'STORAGE_LIMIT_EXCEEDED', message: 'storage limit exceeded' })
      return () => org.fill(null)
    },
    refusal: {
      status: 403,
      body: [{ errorCode: 'STORAGE_LIMIT_EXCEEDED', message: 'storage limit exceeded' }],
      match: 'POST /services/data/v66.0/jobs/ingest|/composite/sobjects|/composite/graph',
    },
  },
  account: '00D000000000001',
  addressMember: 'login_url',
  wrongCredentials: { client_secret: 'wrong' },
  shortTimeout: { timeout_ms: 1_000 },
  renewableSettings: (sandbox, server) => server.settings(sandbox.crm),
}

const limitRows: ConnectorUnderTest['limitRows'] = (sandbox, rows) => (sandbox as SalesforceSandbox).limitTriggers(rows)

export const salesforceSubject: ConnectorUnderTest = {
  ...leadsOfSalesforce,
  limitRows,
  rowsNameNoLead:
    'Salesforce tells the rows of a collection in the order of the request, and of a new one only its Id.',
}

/** The same with companies as Accounts and directors as Contacts; each row is a transaction of its own. */
export const salesforceAccountSubject: ConnectorUnderTest = {
  ...leadsOfSalesforce,
  connector: {
    ...salesforce,
    readSettings: (input) => salesforce.readSettings({ object: 'account', ...(input as object) }),
  },
  writeCall: '/services/data/v66.0/composite/graph',
  companions: {
    hangsOn: ({ object, properties }, { id }) => object === 'Contact' && properties['AccountId'] === id,
    createJealous: () =>
      createSalesforceSandbox({ duplicateRules: [{ object: 'Contact', fields: ['Email'], allowSave: false }] }),
  },
  leadsPerWrite: 75,
  isWrite: ({ method, path }) => method !== 'GET' && /\/composite\/(graph|sobjects)/.test(path),
  externalIdOf: ({ object, properties }) => {
    const id = String(properties['Panji_Id__c'])
    return object === (id.startsWith('director:') ? 'Contact' : 'Account') ? id : null
  },
  places: placesOf(
    {
      ...address('Billing', 'PostalCode'),
      ...{ Company: 'Name', Phone: 'Phone', Website: 'Website' },
      ...{ Last_Name: 'LastName', Email: 'Email', Mobile: 'MobilePhone' },
    },
    {
      ...address('Mailing', 'PostalCode'),
      ...{ Last_Name: 'LastName', First_Name: 'FirstName', Email: 'Email', Mobile: 'MobilePhone' },
    },
  ),
  ownershipName: (field) => `Account.${field}`,
  joins: { ...joining.salesforce, of: 'director' },
  adoption: { over: { match_on: [{ 'Contact.Email': 'Email' }] }, identity: 'Panji_Id__c', several: true },
}

/** The same with every push as a job of Bulk API 2.0; the file counts as the write, and the job's end as its answer. */
export const salesforceBulkSubject: ConnectorUnderTest = {
  ...leadsOfSalesforce,
  limitRows,
  connector: asJobs(salesforce),
  writeCall: 'PATCH /services/data/v66.0/jobs/ingest',
  openingCall: 'POST /services/data/v66.0/jobs/ingest',
  reportingCall: '/successfulResults',
  jobs: {
    createFailing: () => createSalesforceSandbox({ bulkFailsAfter: 3 }),
    createPaging: () => createSalesforceSandbox({ bulkPageRows: 4 }),
  },
  isWrite: ({ method, path }) => method === 'PUT' || (method !== 'GET' && path.includes('/composite/sobjects')),
}

const hubspotAddress: Places = { Street: 'address', City: 'city', State: 'state', Zip_Code: 'zip', Country: 'country' }

export const hubspotSubject: ConnectorUnderTest = {
  connector: hubspot,
  speaksTo: 'server',
  createSandbox: () => createHubspotSandbox(),
  createGuardedSandbox() {
    const sandbox = createHubspotSandbox()
    sandbox.withholdScopes(['crm.schemas.companies.write', 'crm.schemas.contacts.write'])
    return sandbox
  },
  writeCall: '/batch/upsert|/batch/create',
  isWrite: ({ path }) => /\/(batch\/(upsert|create|update|archive)|gdpr-delete)$/.test(path),
  isRead: ({ path }) => path.endsWith('/batch/read'),
  externalIdOf: ({ properties }) => {
    const id = properties['panji_id']
    return typeof id === 'string' ? id : null
  },
  places: placesOf(
    { ...hubspotAddress, Company: 'name', Phone: 'phone', Website: 'website' },
    { ...hubspotAddress, Last_Name: 'lastname', First_Name: 'firstname', Email: 'email', Mobile: 'mobilephone' },
  ),
  ownershipName: (field) => field,
  adoption: { over: { match_on: [{ 'contacts.email': 'Email' }] }, identity: 'panji_id', several: false },
  joins: joining.hubspot,
  noRoom: {
    code: 'LIMIT_EXCEEDED',
    fill(sandbox) {
      const account = sandbox as HubspotSandbox
      account.allow({ records: 0 })
      return () => account.allow({ records: null })
    },
    refusal: {
      status: 400,
      body: {
        status: 'error',
        category: 'VALIDATION_ERROR',
        subCategory: 'CrmLimits.LIMIT_EXCEEDED',
        message: 'This account has reached its limit of 1000000 records',
      },
      match: '/batch/upsert|/batch/create',
    },
  },
  account: '24680135',
  addressMember: 'base_url',
  wrongCredentials: { access_token: 'pat-na1-refused' },
  shortTimeout: { timeout_ms: 1_000 },
  renewableSettings: (sandbox, server) => ({
    ...(sandbox as HubspotSandbox).oauthSettings(server.baseUrl(sandbox.crm)),
    sandbox_pass: server.settings(sandbox.crm)['sandbox_pass'],
  }),
}

/** Where a field has the name of its column. */
const named = (columns: string): Places => Object.fromEntries(columns.split(' ').map((name) => [name, name]))
const rowPlaces = named('Last_Name Company Email Mobile Phone Website Street City State Zip_Code Country')
const rowPlacesOfPerson = named('Last_Name First_Name Email Mobile Street City State Zip_Code Country')

export const zohoSubject: ConnectorUnderTest = {
  connector: zoho,
  speaksTo: 'server',
  createSandbox: () => createZohoSandbox(),
  createGuardedSandbox() {
    const sandbox = createZohoSandbox()
    sandbox.withholdScopes(['ZohoCRM.settings.fields.CREATE'])
    return sandbox
  },
  writeCall: ' /crm/v8/Leads',
  isWrite: ({ method, path }) => method !== 'GET' && path.startsWith('/crm/v8/Leads'),
  isRead: ({ path }) => path.endsWith('/coql'),
  externalIdOf: ({ properties }) => String(properties['Panji_Id']),
  places: placesOf(rowPlaces, rowPlacesOfPerson),
  ownershipName: (field) => field,
  rowsNameNoLead: 'Zoho tells the rows of a write in the order of the request, and of a new one only its id.',
  adoption: { over: { match_on: [{ Email: 'Email' }] }, identity: 'Panji_Id', several: true },
  joins: joining.zoho,
  noRoom: {
    code: 'LICENSE_LIMIT_EXCEEDED',
    fill(sandbox) {
      const org = sandbox as ZohoSandbox
      org.fill({ code: 'LICENSE_LIMIT_EXCEEDED', message: 'the license allows no more records' })
      return () => org.fill(null)
    },
    refusal: {
      status: 403,
      body: {
        code: 'LICENSE_LIMIT_EXCEEDED',
        details: {},
        message: 'the license allows no more records',
        status: 'error',
      },
      match: ' /crm/v8/Leads',
    },
  },
  account: '60001234567',
  addressMember: 'accounts_url',
  wrongCredentials: { client_secret: 'wrong' },
  shortTimeout: { timeout_ms: 1_000 },
  renewableSettings: (sandbox, server) => server.settings(sandbox.crm),
}

export const folderSubject: ConnectorUnderTest = {
  connector: exampleCsv(deliveryDir),
  speaksTo: 'folder',
  createSandbox: () => createFolderSandbox(),
  createGuardedSandbox: () => createFolderSandbox({ isThere: false }),
  writeCall: '',
  isWrite: () => true,
  isRead: () => false,
  externalIdOf: ({ properties }) => String(properties['Panji_Id']),
  places: placesOf(rowPlaces, rowPlacesOfPerson),
  account: folderAccount,
  addressMember: '',
  wrongCredentials: {},
  shortTimeout: {},
  fixedKeys: 'A folder has no sign-in.',
}

export const subjects: readonly ConnectorUnderTest[] = [salesforceSubject, hubspotSubject, zohoSubject, folderSubject]
