/**
 * For the API document, the only place outside connectors/ that names a CRM: a destination connected by signing in at
 * the CRM.
 */
export const connectExample = { type: 'salesforce', name: 'Sales org', deliver: 'automatic' }

export const destinationExample = {
  type: 'hubspot',
  name: 'Sales',
  settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  deliver: 'automatic',
} as const

/** With its own mapping. */
export const mappingExample = {
  fields: [
    {
      field: 'companies.description',
      for: ['gst'],
      value: { template: '{LegalName} ({GSTIN}), {City}' },
      ownership: 'if_empty',
    },
  ],
} as const
