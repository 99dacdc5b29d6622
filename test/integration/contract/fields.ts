/** The field tables of the specification as data: section, field, type. docs/contract.md names the tests made of them. */

export const fieldTypes = {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  array: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'array of string': (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'string or null': (value: unknown) => value === null || typeof value === 'string',
  'array or null': (value: unknown) => value === null || Array.isArray(value),
  'object or null': (value: unknown) => typeof value === 'object' && !Array.isArray(value),
  date: (value: unknown) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  'timestamp without zone': (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(String(value)),
  'UTC timestamp': (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value)),
} as const
export type FieldType = keyof typeof fieldTypes

type Fields = Readonly<Record<string, FieldType>>
const strings = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, 'string' as const])) as Record<K, 'string'>

/** `exact`: the object has these members and no others. */
export interface FieldTable {
  readonly fields: Fields
  readonly exact?: boolean
}

export const fieldTables = {
  'Login result': {
    fields: {
      success: 'boolean',
      ...strings('message', 'user.name', 'user.userId'),
      ...strings('token.access_token', 'token.refresh_token', 'token.token_type'),
    },
  },
  'Refresh result': { fields: strings('access_token', 'token_type'), exact: true },
  'User profile': {
    fields: {
      ...strings('user_id', 'email', 'username'),
      'api_usage.detail_requests_today': 'number',
      'api_usage.detail_daily_limit': 'number',
    },
  },
  Offer: {
    fields: {
      ...strings('id', 'name', 'description'),
      price: 'number',
      duration_days: 'number',
      features: 'array of string',
    },
    exact: true,
  },
  'Company search result': {
    fields: { ...strings('CIN', 'companyName', 'State', 'City'), paidUpCapital: 'number', llpStatus: 'string' },
    exact: true,
  },
  'GST search result': { fields: strings('GSTIN', 'TradeName', 'state', 'Status', 'TaxpayerType'), exact: true },
  'Run-screener company record': {
    fields: { ...strings('CIN', 'company', 'City', 'State', 'llpStatus'), paidUpCapital: 'number' },
    exact: true,
  },
  'Company details': {
    fields: {
      ...strings('CIN', 'companyName', 'companyType', 'classOfCompany', 'companyCategory', 'llpStatus'),
      dateOfIncorporation: 'date',
      authorisedCapital: 'number',
      paidUpCapital: 'number',
      ...strings('registeredAddress', 'City', 'State', 'Pincode', 'email'),
      NICCode: 'number',
      NICDescription: 'string',
    },
    exact: true,
  },
  'GST details': {
    fields: {
      ...strings('GSTIN', 'LegalName', 'TradeName', 'Status', 'TaxpayerType', 'ConstitutionBusiness'),
      dateOfRegistration: 'date',
      ...strings('state', 'Address', 'Pincode', 'COREBUSINESS'),
      BusinessActivities: 'array of string',
      hsnCodes: 'array of string',
      sacCodes: 'array of string',
    },
    exact: true,
  },
  'Director details': {
    fields: { ...strings('DIN', 'Name', 'Nationality', 'Address'), companies: 'array' },
    exact: true,
  },
  'Director details, company': {
    fields: {
      ...strings('CIN', 'companyName', 'Designation'),
      dateOfAppointment: 'date',
      dateOfCessation: 'string or null',
    },
    exact: true,
  },
  'Director filter result': {
    fields: strings('DIN', 'firstName', 'lastName', 'gender', 'citizenOfIndia', 'state'),
    exact: true,
  },
  'Recently registered company record': {
    fields: {
      ...strings('CIN', 'company'),
      dateOfIncorporation: 'timestamp without zone',
      ...strings('companyType', 'classOfCompany', 'companyCategory', 'mainDivision', 'mainDivisionDescription'),
      ...strings('city', 'district', 'state', 'pincode'),
    },
    exact: true,
  },
  'Recently registered director record': {
    fields: {
      ...strings('DIN', 'firstName'),
      middleName: 'string or null',
      ...strings('lastName', 'fullName'),
      DINApprovalDate: 'timestamp without zone',
      ...strings('DINStatus', 'directorDisqualified', 'district', 'state', 'postalCode', 'country'),
    },
    exact: true,
  },
  'Access statement': {
    fields: {
      ...strings('account.user_id', 'account.email', 'account.username'),
      'account.is_enterprise': 'boolean',
      authenticated_via: 'string',
      'datasets.recently_registered': 'object',
      credits: 'array',
      'rate_limits.detail_endpoints': 'object',
      'rate_limits.date': 'date',
      generated_at: 'UTC timestamp',
    },
  },
  'Access statement, credits': {
    fields: {
      type: 'string',
      balance: 'number',
      total_credits: 'number',
      used_credits: 'number',
      last_updated: 'UTC timestamp',
    },
    exact: true,
  },
  'Access statement, detail endpoints': {
    fields: { used_today: 'number', daily_limit: 'number', remaining: 'number' },
    exact: true,
  },
  'Access statement, dataset': {
    fields: {
      enabled: 'boolean',
      granted_by: 'string or null',
      reason: 'string or null',
      'territory.restricted': 'boolean',
      'territory.states': 'array or null',
      'territory.districts': 'array or null',
      'territory.pincodes': 'array or null',
      date_window: 'object or null',
      'date_window.from': 'string or null',
      'date_window.to': 'string or null',
      'date_window.anchored_to_subscription': 'boolean',
      plans: 'array',
    },
  },
  'Access statement, plan': {
    fields: { ...strings('plan_name', 'interval', 'granted_by'), expires_at: 'string or null' },
    exact: true,
  },
  'Saved screener': {
    fields: {
      ...strings('id', 'name', 'type', 'query'),
      description: 'string or null',
      created_at: 'UTC timestamp',
    },
    exact: true,
  },
  'Order (create result)': {
    fields: {
      ...strings('_id', 'orderName', 'paymentOption'),
      total_amount: 'number',
      ...strings('status', 'payment_status'),
      items_count: 'number',
      created_at: 'UTC timestamp',
    },
    exact: true,
  },
  'Order export': { fields: { order_id: 'string', data: 'array' }, exact: true },
  'Order leads, nested': {
    fields: {
      ...strings('order_id', 'order_name', 'payment_status', 'status'),
      leads: 'array',
      total: 'number',
    },
    exact: true,
  },
  'Order leads, nested lead': {
    fields: { ...strings('type', 'identifier', 'name'), lead: 'object', full_data: 'object' },
    exact: true,
  },
  'Reference, HSN': {
    fields: { ...strings('code', 'description'), chapter: 'number', section: 'string' },
    exact: true,
  },
  'Reference, NIC': { fields: { code: 'number', description: 'string', section: 'string', division: 'number' } },
  'Details, rate_limit': { fields: { remaining: 'number', limit: 'number', reset: 'UTC timestamp' }, exact: true },
  'Screener search': {
    fields: { results: 'array', total: 'number', page: 'number', pages: 'number' },
  },
  'Run screener': { fields: { data: 'array', total: 'number', page: 'number', limit: 'number', screener: 'object' } },
  'Run screener, screener': { fields: strings('id', 'name', 'type', 'query'), exact: true },
  'Director filter': {
    fields: { results: 'array', total_results: 'number', page: 'number', limit: 'number' },
    exact: true,
  },
  'Feed response': {
    fields: { data: 'array', total: 'number', page: 'number', limit: 'number', access: 'object' },
    exact: true,
  },
  'Feed response, access': {
    fields: {
      granted_by: 'string',
      'territory.restricted': 'boolean',
      'territory.states': 'array or null',
      'territory.districts': 'array or null',
      'territory.pincodes': 'array or null',
      'date_window.from': 'string or null',
      'date_window.to': 'string or null',
      'date_window.anchored_to_subscription': 'boolean',
    },
  },
} as const satisfies Readonly<Record<string, FieldTable>>

export type FieldSection = keyof typeof fieldTables

export const fieldTitle = (section: string, field: string, type: string): string => `${section}: ${field} is ${type}`
export const exactTitle = (section: string): string => `${section}: these fields and no others`

/** Every title that fields.test.ts makes. */
export function fieldTitles(): string[] {
  return Object.entries(fieldTables).flatMap(([section, table]: [string, FieldTable]) => [
    ...Object.entries(table.fields).map(([field, type]) => fieldTitle(section, field, type)),
    ...(table.exact ? [exactTitle(section)] : []),
  ])
}
