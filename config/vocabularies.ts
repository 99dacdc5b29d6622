/**
 * Words of the sources and the words that the API answers with. Vocabularies are open: a word that is not listed is
 * kept as it came and counted in the run's report. Keys are compared without case, spaces and punctuation.
 */
export const vocabularies = {
  'company-status': {
    Active: ['Active', 'ACTV'],
    'Struck Off': ['Strike Off', 'Struck Off', 'STOF', 'Strike-Off'],
    'Under Process of Striking Off': ['Under process of striking off', 'UPSO'],
    'Struck Off - Awaiting Publication': ['Strike Off-AwaitingPublication'],
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
  listing: { Listed: ['Listed', 'L'], Unlisted: ['Unlisted', 'U'] },
  class: {
    Private: ['Private', 'Private Company', 'PVT'],
    Public: ['Public', 'Public Company'],
    'One Person Company': ['One Person Company', 'Private(One Person Company)', 'OPC'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>

export type Vocabulary = keyof typeof vocabularies
