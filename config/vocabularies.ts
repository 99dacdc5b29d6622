/**
 * Words of the sources and the words that the API answers with: what ingest writes, what the screener, the feeds and the
 * filters take, and what suggestions are made of. Vocabularies are open: a word that is not listed is kept as it came,
 * counted in the run's report, and can be asked for. Spellings are compared without case, spaces and punctuation.
 */
import type { EntityType } from '../src/domain/identity.ts'

export const vocabularies = {
  'company-status': {
    Active: ['Active', 'ACTV'],
    'Struck Off': ['Strike Off', 'Struck Off', 'STOF'],
    'Under Process of Striking Off': ['Under Process of Striking Off', 'Under process of striking off', 'UPSO'],
    'Struck Off - Awaiting Publication': ['Struck Off - Awaiting Publication', 'Strike Off-AwaitingPublication'],
    Amalgamated: ['Amalgamated', 'AMAL'],
    'Converted to LLP': ['Converted to LLP', 'CLLP'],
    'Converted to LLP and Dissolved': ['Converted to LLP and Dissolved', 'CLLD'],
    'Under Liquidation': ['Under Liquidation', 'ULQD'],
    Liquidated: ['Liquidated', 'LIQD'],
    Dissolved: ['Dissolved', 'DISD'],
    'Dissolved (Liquidated)': ['Dissolved (Liquidated)'],
    'Dissolved under section 59(8)': ['Dissolved under section 59(8)'],
    'Dormant under section 455': ['Dormant under section 455', 'D455'],
    Dormant: ['Dormant'],
    'Inactive for e-filing': ['Inactive for e-filing', 'Not available for e-filing', 'NAEF'],
    Inactive: ['Inactive'],
    'Under CIRP': ['Under CIRP'],
    Vanished: ['Vanished'],
  },
  'gst-status': {
    Active: ['Active', 'ACT'],
    Cancelled: [
      'Cancelled',
      'Canceled',
      'Cancelled suo-moto',
      'Cancelled on application of Taxpayer',
      'Cancelled on application by Taxpayer',
      'Cancelled (suo-moto)',
      'CNL',
    ],
    Suspended: ['Suspended', 'SUS'],
    Inactive: ['Inactive', 'INA'],
    Provisional: ['Provisional', 'PRO'],
  },
  'taxpayer-type': {
    Regular: ['Regular'],
    Composition: ['Composition'],
    'Casual Taxable Person': ['Casual Taxable Person'],
    'SEZ Unit': ['SEZ Unit'],
    'SEZ Developer': ['SEZ Developer'],
    'Input Service Distributor (ISD)': ['Input Service Distributor (ISD)', 'Input Service Distributor', 'ISD'],
    'Tax Deductor': ['Tax Deductor', 'TDS'],
    'Tax Collector (Electronic Commerce Operator)': [
      'Tax Collector (Electronic Commerce Operator)',
      'Tax Collector',
      'TCS',
    ],
    'Non Resident Taxable Person': ['Non Resident Taxable Person'],
    'Non Resident Online Services Provider': ['Non Resident Online Services Provider'],
    'United Nation Body': ['United Nation Body'],
    'Consulate or Embassy of Foreign Country': ['Consulate or Embassy of Foreign Country'],
    'Other Notified Person': ['Other Notified Person'],
    'Government Department ID': ['Government Department ID'],
  },
  'director-status': {
    Approved: ['Approved', 'Active'],
    Deactivated: ['Deactivated', 'Deactivated due to non-filing of DIR-3 KYC'],
    Disabled: ['Disabled'],
    Inactive: ['Inactive'],
    Lapsed: ['Lapsed'],
    Provisional: ['Provisional'],
    Rejected: ['Rejected'],
    Surrendered: ['Surrendered'],
  },
  'yes-no': { Yes: ['Yes', 'Y', 'True', '1'], No: ['No', 'N', 'False', '0'] },
  listing: {
    Listed: ['Listed', 'L', 'Yes', 'Y', 'True'],
    Unlisted: ['Unlisted', 'Not Listed', 'U', 'No', 'N', 'False'],
  },
  'company-type': {
    Company: ['Company'],
    LLP: ['LLP', 'Limited Liability Partnership'],
    'Foreign LLP': ['Foreign LLP', 'FLLP', 'Foreign Limited Liability Partnership'],
    'Foreign Company': ['Foreign Company'],
  },
  class: {
    Private: ['Private', 'Private Company', 'PVT'],
    Public: ['Public', 'Public Company'],
    'One Person Company': ['One Person Company', 'Private(One Person Company)', 'OPC'],
  },
  category: {
    'Company limited by shares': ['Company limited by shares', 'Limited by shares'],
    'Company limited by guarantee': ['Company limited by guarantee', 'Limited by guarantee'],
    'Unlimited company': ['Unlimited company', 'Unlimited'],
  },
  constitution: {
    'Foreign Company': ['Foreign Company', 'FCO'],
    'Foreign Limited Liability Partnership': ['Foreign Limited Liability Partnership', 'FLL'],
    'Government Department': ['Government Department', 'GOV'],
    'Hindu Undivided Family': ['Hindu Undivided Family', 'HUF'],
    'Limited Liability Partnership': ['Limited Liability Partnership', 'LLP'],
    'Local Authority': ['Local Authority', 'LOC'],
    Others: ['Others', 'OTH'],
    Partnership: ['Partnership', 'PAR', 'Partnership Firm'],
    'Private Limited Company': ['Private Limited Company', 'PVT', 'Private Limited'],
    Proprietorship: ['Proprietorship', 'PRO', 'Sole Proprietorship'],
    'Public Limited Company': ['Public Limited Company', 'PUB', 'Public Limited'],
    'Public Sector Undertaking': ['Public Sector Undertaking', 'PSU'],
    'Society/ Club/ Trust/ AOP': ['Society/ Club/ Trust/ AOP', 'SCT'],
    'Statutory Body': ['Statutory Body', 'STB'],
    'Unlimited Company': ['Unlimited Company', 'ULC'],
  },
  activity: {
    'Bonded Warehouse': ['Bonded Warehouse'],
    'EOU / STP / EHTP': ['EOU / STP / EHTP'],
    Export: ['Export'],
    'Factory / Manufacturing': ['Factory / Manufacturing'],
    Import: ['Import'],
    'Input Service Distributor (ISD)': ['Input Service Distributor (ISD)'],
    'Leasing Business': ['Leasing Business'],
    'Office / Sale Office': ['Office / Sale Office'],
    'Recipient of Goods or Services': ['Recipient of Goods or Services'],
    'Retail Business': ['Retail Business'],
    'Supplier of Services / Service Provision': ['Supplier of Services / Service Provision'],
    'Warehouse / Depot': ['Warehouse / Depot'],
    'Wholesale Business': ['Wholesale Business'],
    'Works Contract': ['Works Contract'],
    Others: ['Others'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>

export type Vocabulary = keyof typeof vocabularies

/**
 * Columns of the registers that hold words, and the vocabulary that they are of; null where the words are names of
 * places. Lists hold several. What these columns hold is counted after each merge.
 */
export const wordColumns = {
  company: {
    status: 'company-status',
    listed: 'listing',
    company_type: 'company-type',
    class: 'class',
    category: 'category',
    state: null,
    district: null,
  },
  gst: {
    status: 'gst-status',
    taxpayer_type: 'taxpayer-type',
    constitution: 'constitution',
    business_activities: 'activity',
    state: null,
    district: null,
  },
  director: { status: 'director-status', state: null, district: null },
} as const satisfies Record<EntityType, Record<string, Vocabulary | null>>

export const listColumns: readonly string[] = ['business_activities']
