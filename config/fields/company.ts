/** The columns of registry.company, in the order of its history. */
import { amount, code, date, email, identifier, integer, type Leading, list, name, text, unshown } from './column.ts'
import { nicDivision, pinCode } from './forms.ts'

export const companyColumns = {
  cin: identifier('CIN', 'CIN, LLPIN, FLLPIN or FCRN', ['hit', 'details', 'feed', 'lead'], {
    ask: "STARTS_WITH 'U851'",
  }),
  company_type: text('companyType', 'Kind of register entry', ['details', 'feed', 'lead'], {
    ask: "== 'LLP'",
    words: 'company-type',
    isFilled: true,
  }),
  name: name('companyName', 'Name of the company or LLP', ['hit', 'details', 'feed', 'lead'], {
    as: { screener: 'company', feed: 'company', row: 'Company' },
    aliases: ['companyName'],
    ask: "CONTAINS 'infra'",
    key: 'name_key',
    isFilled: true,
  }),
  name_key: unshown('text', 'Key by which names are compared'),
  status: text('llpStatus', 'Status of the company or LLP', ['hit', 'details', 'lead'], {
    ask: "== 'Active'",
    words: 'company-status',
  }),
  status_source: text('llpStatusSource', 'Status in the words of the source', []),
  class: text('classOfCompany', 'Class of the company', ['details', 'feed', 'lead'], {
    ask: "== 'Private'",
    words: 'class',
  }),
  category: text('companyCategory', 'Category', ['details', 'feed', 'lead'], {
    ask: "== 'Company limited by shares'",
    words: 'category',
  }),
  sub_category: text('companySubCategory', 'Sub-category', ['lead']),
  listed: text('Listed', 'Listed on a stock exchange or not', ['lead'], { ask: "== 'Listed'", words: 'listing' }),
  origin: text('companyOrigin', 'Indian or foreign', []),
  roc_code: text('ROCCode', 'Registrar of companies', ['lead'], { ask: "== 'ROC Goa'", words: 'registrar' }),
  authorised_capital: amount('authorisedCapital', 'Authorised capital in INR', ['details', 'lead'], {
    ask: '>= 100000',
  }),
  paid_up_capital: amount('paidUpCapital', 'Paid-up capital in INR', ['hit', 'details', 'lead'], { ask: '> 1000000' }),
  incorporated_on: date('dateOfIncorporation', 'Date of incorporation', ['details', 'feed', 'lead'], {
    ask: ">= '2024-04-01'",
  }),
  registered_address: text('registeredAddress', 'Address of the registered office', ['details', 'lead']),
  city: text('City', 'City of the registered office', ['hit', 'details', 'feed', 'lead'], {
    as: { feed: 'city' },
    ask: "== 'Mumbai'",
    isPlace: true,
  }),
  district: text('District', 'District of the registered office', ['feed', 'lead'], {
    as: { feed: 'district' },
    ask: "== 'North Goa'",
    isPlace: true,
  }),
  state: text('State', 'State of the registered office', ['hit', 'details', 'feed', 'lead'], {
    as: { feed: 'state' },
    ask: "== 'Goa'",
    words: 'state',
  }),
  pincode: code('Pincode', 'PIN of the registered office', ['details', 'feed', 'lead'], {
    as: { feed: 'pincode', row: 'Zip_Code' },
    aliases: ['pincode'],
    ask: "== '403516'",
    digits: 6,
    form: pinCode,
  }),
  emails: unshown('list', 'All e-mail addresses of the entry', { isPersonal: true }),
  email: email('email', 'E-mail address', ['details', 'lead'], { as: { row: 'Email' }, isPersonal: true }),
  nic_code: integer('NICCode', 'Primary NIC code as a number', ['details', 'lead'], {
    ask: 'IN [62011, 62012]',
    note: 'Primary NIC code as a number: 01110 is 1110',
  }),
  nic_vintage: integer('NICVintage', 'Year of the NIC that the code is of', []),
  nic_description: text('NICDescription', 'Description of the NIC code', ['details', 'lead'], {
    as: { screener: 'NICDesc' },
    ask: "CONTAINS 'software'",
  }),
  main_division: code('mainDivision', 'First two digits of the NIC code', ['feed', 'lead'], {
    ask: "== '62'",
    digits: 2,
    form: nicDivision,
  }),
  main_division_description: text('mainDivisionDescription', 'Description of the division', ['feed', 'lead']),
  last_agm_on: date('dateOfLastAGM', 'Date of the last annual general meeting', ['lead']),
  balance_sheet_on: date('dateOfBalanceSheet', 'Date of the last balance sheet', ['lead']),
  previous_cins: list('previousCINs', 'Identifiers that the company had before', []),
}

export const companyLeading: Leading<typeof companyColumns> = {
  hit: ['cin', 'state', 'city', 'paid_up_capital', 'status', 'name'],
  details: ['cin', 'name', 'company_type', 'class', 'category', 'status', 'incorporated_on'],
  feed: [
    'cin',
    'name',
    'incorporated_on',
    'company_type',
    'class',
    'category',
    'main_division',
    'main_division_description',
  ],
  screener: [
    'name',
    'cin',
    'city',
    'state',
    'district',
    'pincode',
    'paid_up_capital',
    'authorised_capital',
    'nic_code',
    'nic_description',
    'main_division',
    'status',
    'listed',
    'company_type',
    'class',
    'category',
    'incorporated_on',
    'roc_code',
  ],
}
