/**
 * The fields of the screener, per type of record: name, kind, column and values known. Adding a field is one line
 * here; the checker, the compiler and the field list of the API read this table and nothing else.
 */
import type { Vocabulary } from '../../../config/vocabularies.ts'
import { states } from '../../domain/states.ts'
import { wordsOf } from '../words/words.ts'

export const screenerTypes = ['company', 'gst'] as const
export type ScreenerType = (typeof screenerTypes)[number]

/**
 * - `text`: equality is exact, CONTAINS, STARTS_WITH and ENDS_WITH ignore case. Of a field with a vocabulary, equality takes
 *   every spelling of the value, and ignores case, spaces and punctuation of a value that the vocabulary does not know.
 * - `name`: every comparison goes through `fold`: registry.name_key, so that case, punctuation and `PVT LTD` do not
 *   matter, where the register stores the key; lower() where computing the key of every row would be too slow. A text
 *   of which the key leaves nothing, such as `llp`, is compared with the name as written.
 * - `identifier`: CIN or GSTIN; what is typed is put into the canonical spelling.
 * - `code`: digits kept as text; may be typed as a number; ordered.
 * - `list`: several values per record; a condition holds when one of them satisfies it.
 */
export type FieldKind = 'text' | 'name' | 'identifier' | 'code' | 'number' | 'integer' | 'date' | 'list'

export interface Field {
  readonly name: string
  readonly aliases: readonly string[]
  readonly kind: FieldKind
  /** SQL of the value: a constant of this file, never text of a user. */
  readonly column: string
  readonly description: string
  /** Known values of a text field; the vocabulary stays open. */
  readonly values: readonly string[]
  readonly example: string
  /** What names are compared through: `column` is folded already, the value is folded by this function. */
  readonly fold: 'registry.name_key' | 'lower'
  /** The column that is NULL where the field is missing, if that is not `column`. */
  readonly presence?: string
  /** The column of a name as it is written. */
  readonly written?: string
  /** Whose spellings a value may have: of config/vocabularies.ts, or of `src/domain/states.ts`. */
  readonly vocabulary?: Vocabulary | 'state'
  /** Codes of a fixed length keep the zeros that a number loses. */
  readonly digits?: number
}

type Extra = Partial<Pick<Field, 'aliases' | 'values' | 'digits' | 'fold' | 'presence' | 'written' | 'vocabulary'>>
const field = (
  name: string,
  kind: FieldKind,
  column: string,
  description: string,
  example: string,
  extra: Extra = {},
): Field => ({ name, kind, column, description, example, aliases: [], values: [], fold: 'registry.name_key', ...extra })

const wordsIn = (vocabulary: Vocabulary): Extra => ({ vocabulary, values: wordsOf(vocabulary) })
const stateNames: Extra = { vocabulary: 'state', values: states.map(({ name }) => name) }

export const screenerFields: Readonly<Record<ScreenerType, readonly Field[]>> = {
  company: [
    field('company', 'name', 'r.name_key', 'Name of the company or LLP', "company CONTAINS 'infra'", {
      aliases: ['companyName'],
      written: 'r.name',
    }),
    field('CIN', 'identifier', 'r.cin', 'CIN, LLPIN, FLLPIN or FCRN', "CIN STARTS_WITH 'U851'"),
    field('City', 'text', 'r.city', 'City of the registered office', "City == 'Mumbai'"),
    field('State', 'text', 'r.state', 'State of the registered office', "State == 'Goa'", stateNames),
    field('District', 'text', 'r.district', 'District of the registered office', "District == 'North Goa'"),
    field('Pincode', 'code', 'r.pincode', 'PIN of the registered office', "Pincode == '403516'", {
      aliases: ['pincode'],
      digits: 6,
    }),
    field('paidUpCapital', 'number', 'r.paid_up_capital', 'Paid-up capital in INR', 'paidUpCapital > 1000000'),
    field(
      'authorisedCapital',
      'number',
      'r.authorised_capital',
      'Authorised capital in INR',
      'authorisedCapital >= 100000',
    ),
    field('NICCode', 'integer', 'r.nic_code', 'Primary NIC code as a number', 'NICCode IN [62011, 62012]'),
    field('NICDesc', 'text', 'r.nic_description', 'Description of the NIC code', "NICDesc CONTAINS 'software'"),
    field('mainDivision', 'code', 'r.main_division', 'First two digits of the NIC code', "mainDivision == '62'", {
      digits: 2,
    }),
    field(
      'llpStatus',
      'text',
      'r.status',
      'Status of the company or LLP',
      "llpStatus == 'Active'",
      wordsIn('company-status'),
    ),
    field('Listed', 'text', 'r.listed', 'Listed on a stock exchange or not', "Listed == 'Listed'", wordsIn('listing')),
    field(
      'companyType',
      'text',
      'r.company_type',
      'Kind of register entry',
      "companyType == 'LLP'",
      wordsIn('company-type'),
    ),
    field('classOfCompany', 'text', 'r.class', 'Class of the company', "classOfCompany == 'Private'", wordsIn('class')),
    field(
      'companyCategory',
      'text',
      'r.category',
      'Category',
      "companyCategory == 'Company limited by shares'",
      wordsIn('category'),
    ),
    field(
      'dateOfIncorporation',
      'date',
      'r.incorporated_on',
      'Date of incorporation',
      "dateOfIncorporation >= '2024-04-01'",
    ),
    field('ROCCode', 'text', 'r.roc_code', 'Registrar of companies', "ROCCode == 'ROC Goa'"),
  ],
  gst: [
    field('GSTIN', 'identifier', 'r.gstin', 'GST registration number', "GSTIN STARTS_WITH '27'"),
    // The key is that of the trade name wherever there is one, and then the index of the keys serves it.
    field('TradeName', 'name', 'r.name_key', 'Trade name', "TradeName CONTAINS 'traders'", {
      presence: 'r.trade_name',
      written: 'r.trade_name',
    }),
    field('LegalName', 'name', 'lower(r.legal_name)', 'Legal name', "LegalName STARTS_WITH 'tata'", { fold: 'lower' }),
    field('state', 'text', 'r.state', 'State of the principal place of business', "state == 'Maharashtra'", stateNames),
    field('District', 'text', 'r.district', 'District of the principal place of business', "District == 'Pune'"),
    field('Pincode', 'code', 'r.pincode', 'PIN of the principal place of business', "Pincode == '411001'", {
      digits: 6,
    }),
    field('Status', 'text', 'r.status', 'Status of the registration', "Status == 'Active'", wordsIn('gst-status')),
    field(
      'TaxpayerType',
      'text',
      'r.taxpayer_type',
      'Type of taxpayer',
      "TaxpayerType == 'Regular'",
      wordsIn('taxpayer-type'),
    ),
    field(
      'ConstitutionBusiness',
      'text',
      'r.constitution',
      'Constitution of the business',
      "ConstitutionBusiness == 'Partnership'",
      wordsIn('constitution'),
    ),
    field(
      'BusinessActivities',
      'list',
      'r.business_activities',
      'Natures of business activity',
      "BusinessActivities == 'Export'",
      wordsIn('activity'),
    ),
    field('hsncd', 'list', 'r.hsn_codes', 'HSN codes of goods', "hsncd STARTS_WITH '8471'"),
    field('saccd', 'list', 'r.sac_codes', 'SAC codes of services', "saccd IN ['998313', '998314']"),
    field(
      'DateOfRegistration',
      'date',
      'r.registered_on',
      'Date of registration',
      "DateOfRegistration BETWEEN '2025-01-01' AND '2025-03-31'",
    ),
  ],
}

const equality = ['==', '!=', 'IN', 'NOT IN'] as const
const order = ['>', '>=', '<', '<=', 'BETWEEN'] as const
const match = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
const missing = ['IS NULL', 'IS NOT NULL'] as const

/** Every operator that a kind of field takes, as written in a query. */
export const operatorsOf: Readonly<Record<FieldKind, readonly string[]>> = {
  text: [...equality, ...match, ...missing],
  name: [...equality, ...match, ...missing],
  identifier: [...equality, ...match, ...missing],
  list: [...equality, ...match, ...missing],
  code: [...equality, ...order, ...match, ...missing],
  number: [...equality, ...order, ...missing],
  integer: [...equality, ...order, ...missing],
  date: [...equality, ...order, ...missing],
}

const byName: Readonly<Record<ScreenerType, ReadonlyMap<string, Field>>> = {
  company: index(screenerFields.company),
  gst: index(screenerFields.gst),
}

function index(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)))
}

export function fieldNamed(type: ScreenerType, name: string): Field | undefined {
  return byName[type].get(name)
}
