/** The columns of registry.gst_taxpayer, in the order of its history. */
import { code, date, identifier, type Leading, list, name, text, unshown } from './column.ts'
import { pinCode } from './forms.ts'

export const gstColumns = {
  gstin: identifier('GSTIN', 'GST registration number', ['hit', 'details', 'feed', 'lead'], {
    ask: "STARTS_WITH '27'",
  }),
  kind: text('kind', 'Kind of number: normal, government, tds, tcs and others', [], { isFilled: true }),
  pan: text('PAN', 'PAN of the taxpayer, where the number holds one', ['lead'], { isPersonal: true }),
  legal_name: name('LegalName', 'Legal name', ['details', 'feed', 'lead'], {
    ask: "STARTS_WITH 'tata'",
    isPersonal: true,
  }),
  trade_name: name('TradeName', 'Trade name', ['hit', 'details', 'feed', 'lead'], {
    ask: "CONTAINS 'traders'",
    // The key is that of the trade name if there is one, so the index of the keys can be used.
    key: 'name_key',
  }),
  name_key: unshown('text', 'Key by which names are compared'),
  status: text('Status', 'Status of the registration', ['hit', 'details', 'feed', 'lead'], {
    ask: "== 'Active'",
    words: 'gst-status',
  }),
  status_source: text('StatusSource', 'Status in the words of the source', []),
  taxpayer_type: text('TaxpayerType', 'Type of taxpayer', ['hit', 'details', 'feed', 'lead'], {
    ask: "== 'Regular'",
    words: 'taxpayer-type',
  }),
  constitution: text('ConstitutionBusiness', 'Constitution of the business', ['details', 'feed', 'lead'], {
    ask: "== 'Partnership'",
    words: 'constitution',
  }),
  registered_on: date('dateOfRegistration', 'Date of registration', ['details', 'feed', 'lead'], {
    as: { screener: 'DateOfRegistration', feed: 'DateOfRegistration', row: 'DateOfRegistration' },
    ask: "BETWEEN '2025-01-01' AND '2025-03-31'",
  }),
  cancelled_on: date('dateOfCancellation', 'Date of cancellation', ['lead'], { as: { row: 'DateOfCancellation' } }),
  address: text('Address', 'Address of the principal place of business', ['details', 'lead'], { isPersonal: true }),
  city: text('City', 'City of the principal place of business', ['feed', 'lead'], { as: { feed: 'city' } }),
  district: text('District', 'District of the principal place of business', ['feed', 'lead'], {
    as: { feed: 'district' },
    ask: "== 'Pune'",
    isPlace: true,
  }),
  state_code: code('StateCode', 'First two digits of the GSTIN', ['lead']),
  state: text('state', 'State of the principal place of business', ['hit', 'details', 'feed', 'lead'], {
    as: { row: 'State' },
    ask: "== 'Maharashtra'",
    words: 'state',
  }),
  pincode: code('Pincode', 'PIN of the principal place of business', ['details', 'feed', 'lead'], {
    as: { feed: 'pincode', row: 'Zip_Code' },
    ask: "== '411001'",
    digits: 6,
    form: pinCode,
  }),
  core_business: text('COREBUSINESS', 'Core business', ['details', 'feed', 'lead']),
  business_activities: list('BusinessActivities', 'Natures of business activity', ['details', 'feed', 'lead'], {
    ask: "== 'Export'",
    words: 'activity',
    isFilled: true,
  }),
  hsn_codes: list('hsnCodes', 'HSN codes of goods', ['details', 'lead'], {
    as: { screener: 'hsncd', row: 'HSNCodes' },
    ask: "STARTS_WITH '8471'",
    isFilled: true,
  }),
  sac_codes: list('sacCodes', 'SAC codes of services', ['details', 'lead'], {
    as: { screener: 'saccd', row: 'SACCodes' },
    ask: "IN ['998313', '998314']",
    isFilled: true,
  }),
  state_jurisdiction: text('StateJurisdiction', 'Office of the state that is responsible', ['lead']),
  centre_jurisdiction: text('CentreJurisdiction', 'Office of the centre that is responsible', ['lead']),
}

export const gstLeading: Leading<typeof gstColumns> = {
  hit: ['gstin', 'trade_name', 'state', 'status', 'taxpayer_type'],
  details: [
    'gstin',
    'legal_name',
    'trade_name',
    'status',
    'taxpayer_type',
    'constitution',
    'registered_on',
    'state',
    'address',
  ],
  feed: [
    'gstin',
    'trade_name',
    'legal_name',
    'status',
    'taxpayer_type',
    'constitution',
    'registered_on',
    'core_business',
    'business_activities',
  ],
  screener: [
    'gstin',
    'trade_name',
    'legal_name',
    'state',
    'district',
    'pincode',
    'status',
    'taxpayer_type',
    'constitution',
    'business_activities',
    'hsn_codes',
    'sac_codes',
    'registered_on',
  ],
}
