/** Suggestions for an unknown field or for text without quotes. Nothing is corrected silently. */
import { readStateName } from '../../domain/state-name.ts'
import { wordKey } from '../../domain/word-key.ts'
import { readWord } from '../words/words.ts'
import { type Field, fieldNamed, type ScreenerType } from './fields.ts'
import { quoted } from './tokens.ts'

/** Names that people and other sources use for a field, separated by spaces; compared without case and punctuation. */
const otherNames: Readonly<Record<ScreenerType, Readonly<Record<string, string>>>> = {
  company: {
    company: 'name title tradename',
    CIN: 'llpin fcrn id identifier',
    City: 'town',
    Pincode: 'pin pincodes zip zipcode postalcode postcode',
    paidUpCapital: 'capital paidup paidcapital',
    authorisedCapital: 'authorizedcapital authcapital authorised authorized',
    NICCode: 'nic industrycode activitycode',
    NICDesc: 'industry activity nicdescription businessactivities',
    mainDivision: 'division',
    llpStatus: 'status companystatus',
    Listed: 'listing listingstatus islisted',
    companyType: 'type entitytype taxpayertype',
    classOfCompany: 'class companyclass',
    companyCategory: 'category',
    dateOfIncorporation:
      'date incorporationdate incorporated incorporatedon dateofregistration registrationdate founded',
    ROCCode: 'roc registrar',
  },
  gst: {
    GSTIN: 'gst gstno gstnumber id identifier',
    TradeName: 'name company companyname title',
    LegalName: 'legal',
    District: 'city town',
    Pincode: 'pin pincodes zip zipcode postalcode postcode',
    Status: 'llpstatus gststatus registrationstatus',
    TaxpayerType: 'type taxpayer companytype',
    ConstitutionBusiness: 'constitution businesstype',
    BusinessActivities: 'activity activities business nicdesc',
    hsncd: 'hsn hsncode hsncodes',
    saccd: 'sac saccode saccodes',
    DateOfRegistration: 'date registrationdate registered registeredon dateofincorporation',
  },
}
const fieldByName = {
  company: namesOf('company'),
  gst: namesOf('gst'),
}

function namesOf(type: ScreenerType): ReadonlyMap<string, string> {
  const entries = Object.entries(otherNames[type])
  return new Map(entries.flatMap(([field, names]) => names.split(' ').map((name) => [name, field] as const)))
}

export function suggestedField(type: ScreenerType, name: string): string | undefined {
  return fieldByName[type].get(wordKey(name))
}

/** @returns the value as a query writes it; undefined if no text fits the field. */
export function suggestedValue(type: ScreenerType, fieldName: string, text: string): string | undefined {
  const field = fieldNamed(type, fieldName) ?? fieldNamed(type, suggestedField(type, fieldName) ?? '')
  if (field === undefined) return quoted(text)
  if (field.kind === 'number' || field.kind === 'integer' || field.kind === 'date') return undefined
  return quoted(wordMeant(field, text) ?? text)
}

function wordMeant({ vocabulary }: Field, text: string): string | undefined {
  if (vocabulary === undefined) return undefined
  if (vocabulary !== 'state') return readWord(vocabulary, text)
  const reading = readStateName(text)
  return reading.ok ? reading.name : (reading.suggestion ?? undefined)
}
