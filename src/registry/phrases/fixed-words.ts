/** Words with one meaning in any position: kinds, statuses, activities, contact channels, and filler words. */
import type { Equality, Item } from './items.ts'
import { wordsOfText } from './tokens.ts'

const company = (field: string, value: string): Item => ({ kind: 'word', says: { company: { field, value } } })
const gst = (field: string, value: string): Item => ({ kind: 'word', says: { gst: { field, value } }, isGst: true })
const either = (inCompany: Equality, inGst: Equality): Item => ({
  kind: 'word',
  says: { company: inCompany, gst: inGst },
})
const constitution = (value: string): Equality => ({ field: 'ConstitutionBusiness', value })
const ofClass = (value: string): Equality => ({ field: 'classOfCompany', value })
const ofType = (value: string): Equality => ({ field: 'companyType', value })
const activity = (value: string): Item => gst('BusinessActivities', value)
const status = (value: string): Item => company('llpStatus', value)
const gstStatus = (value: string): Item => gst('Status', value)
const reach = (way: string): Item => ({ kind: 'reach', way, isNegated: false })
const swallowed: Item = { kind: 'swallowed' }

/** Several spellings each, separated by commas. */
const written: readonly (readonly [string, Item])[] = [
  ['gst, gstin, gstins, taxpayer, taxpayers, dealer, dealers', { kind: 'register' }],
  ['gst registration, gst registrations', { kind: 'register' }],
  [
    'llp, llps, limited liability partnership, limited liability partnerships',
    either(ofType('LLP'), constitution('Limited Liability Partnership')),
  ],
  [
    'private, private limited, private ltd, pvt, pvt ltd, pvt limited',
    either(ofClass('Private'), constitution('Private Limited Company')),
  ],
  ['public, public limited, public ltd', either(ofClass('Public'), constitution('Public Limited Company'))],
  ['one person, opc, opcs', company('classOfCompany', 'One Person Company')],
  [
    'foreign company, foreign companies',
    either({ field: 'companyType', value: 'Foreign Company' }, constitution('Foreign Company')),
  ],
  ['foreign llp, foreign llps', company('companyType', 'Foreign LLP')],
  ['listed', company('Listed', 'Listed')],
  ['unlisted', company('Listed', 'Unlisted')],
  ['proprietorship, proprietorships, proprietor, proprietors', gst('ConstitutionBusiness', 'Proprietorship')],
  [
    'huf, hufs, hindu undivided family, hindu undivided families',
    gst('ConstitutionBusiness', 'Hindu Undivided Family'),
  ],
  ['partnership, partnerships', { kind: 'word', says: { gst: constitution('Partnership') } }],
  ['composition, composition scheme', gst('TaxpayerType', 'Composition')],
  ['regular', { kind: 'word', says: { gst: { field: 'TaxpayerType', value: 'Regular' } } }],
  ['active', either({ field: 'llpStatus', value: 'Active' }, { field: 'Status', value: 'Active' })],
  ['inactive', either({ field: 'llpStatus', value: 'Inactive' }, { field: 'Status', value: 'Inactive' })],
  ['struck off, strike off', status('Struck Off')],
  ['dissolved', status('Dissolved')],
  ['amalgamated', status('Amalgamated')],
  ['liquidated', status('Liquidated')],
  ['under liquidation', status('Under Liquidation')],
  ['dormant', status('Dormant')],
  ['vanished', status('Vanished')],
  ['cancelled, canceled', gstStatus('Cancelled')],
  ['suspended', gstStatus('Suspended')],
  ['provisional', gstStatus('Provisional')],
  ['retail, retailer, retailers', activity('Retail Business')],
  ['wholesale, wholesaler, wholesalers', activity('Wholesale Business')],
  ['export, exporter, exporters', activity('Export')],
  ['import, importer, importers', activity('Import')],
  ['manufacturing, manufacturer, manufacturers', activity('Factory / Manufacturing')],
  ['warehouse, warehouses', activity('Warehouse / Depot')],
  ['works contract, works contracts, works contractor, works contractors', activity('Works Contract')],
  ['service provider, service providers', activity('Service Provision')],
  [
    'mobile, mobiles, mobile number, mobile numbers, phone, phones, phone number, phone numbers, telephone, telephones, telephone number, telephone numbers, contact number, contact numbers',
    reach('mobile'),
  ],
  [
    'email, emails, e-mail, e-mails, email address, email addresses, e-mail address, e-mail addresses, email id, email ids, mail id, mail ids',
    reach('email'),
  ],
  ['website, websites, web site, web sites, site, sites', reach('website')],
  ['paid up, paid up capital, paid up share capital, capital', { kind: 'capital', field: 'paidUpCapital' }],
  [
    'authorised capital, authorized capital, nominal capital, authorised share capital, authorized share capital, nominal share capital',
    { kind: 'capital', field: 'authorisedCapital' },
  ],
  [
    'company, companies, firm, firms, business, businesses, enterprise, enterprises, record, records, registrations, industry, sector',
    { kind: 'noun' },
  ],
  ['and, &, and also', { kind: 'joiner', or: false }],
  ['or', { kind: 'joiner', or: true }],
  [
    'a, an, the, all, any, some, every, show, me, find, list, get, give, us, i, we, want, need, looking, for, search, please, which, who, that, are, is, was, were, have, has, having, with, of, their, its, it, those, these, only, based, located, situated, headquartered, but, district, districts, state, states, in, from, at, near, around, within',
    swallowed,
  ],
]

const byWords = new Map(
  written.flatMap(([forms, item]) => forms.split(', ').map((form) => [wordsOfText(form).join(' ') || form, item])),
)
export const fixedWordsMax = 4

/** @param words in lower case, separated by single spaces. */
export const fixedItem = (words: string): Item | undefined => byWords.get(words)
