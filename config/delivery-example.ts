/** What the document shows of a destination: the one place outside connectors/ that names a CRM. */
/** Signing in to one at its own page. */
export const connectExample = { type: 'salesforce', name: 'Sales org', deliver: 'automatic' }

export const destinationExample = {
  type: 'hubspot',
  name: 'Sales',
  settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  deliver: 'automatic',
} as const

/** And of its own mapping. */
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
