/**
 * The columns of registry.director, in the order of its history, and those of appointments. Not available in the
 * screener.
 */
import { code, date, identifier, type Leading, name, text, unshown } from './column.ts'

export const directorColumns = {
  din: identifier('DIN', 'Director identification number', ['hit', 'details', 'feed', 'lead'], { isPersonal: true }),
  first_name: text('firstName', 'First name', ['hit', 'feed', 'lead'], {
    as: { row: 'First_Name' },
    isPersonal: true,
  }),
  middle_name: text('middleName', 'Middle name', ['feed', 'lead'], { as: { row: 'Middle_Name' }, isPersonal: true }),
  last_name: text('lastName', 'Last name', ['hit', 'feed', 'lead'], { as: { row: 'Last_Name' }, isPersonal: true }),
  full_name: name('Name', 'Name as the register writes it', ['details', 'feed', 'lead'], {
    as: { feed: 'fullName', row: 'Full_Name' },
    key: 'name_key',
    isFilled: true,
    isPersonal: true,
  }),
  name_key: unshown('text', 'Key by which names are compared', { isPersonal: true }),
  status: text('DINStatus', 'Status of the DIN', ['feed', 'lead'], { words: 'director-status' }),
  approved_on: date('DINApprovalDate', 'Date on which the DIN was approved', ['feed', 'lead']),
  disqualified: text('directorDisqualified', 'Disqualified: Yes or No', ['feed', 'lead'], {
    words: 'yes-no',
    isPersonal: true,
  }),
  nationality: text('Nationality', 'Nationality', ['details', 'lead'], { isPersonal: true }),
  gender: text('gender', 'Gender', ['hit', 'lead'], {
    as: { lead: 'Gender' },
    words: 'gender',
    isPersonal: true,
  }),
  born_on: unshown('date', 'Date of birth', { isPersonal: true }),
  citizen_of_india: text('citizenOfIndia', 'Citizen of India: Yes or No', ['hit'], {
    words: 'yes-no',
    isPersonal: true,
  }),
  resident_of_india: text('residentOfIndia', 'Resident of India: Yes or No', [], {
    words: 'yes-no',
    isPersonal: true,
  }),
  address: text('Address', 'Address of the person', ['details', 'lead'], { as: { row: 'Street' }, isPersonal: true }),
  city: text('city', 'City of the address', ['lead'], { as: { lead: 'City' }, isPersonal: true }),
  district: text('district', 'District of the address', ['feed', 'lead'], {
    as: { lead: 'District' },
    isPersonal: true,
  }),
  state: text('state', 'State of the address', ['hit', 'feed', 'lead'], {
    as: { lead: 'State' },
    words: 'state',
    isPersonal: true,
  }),
  country: text('country', 'Country of the address', ['feed', 'lead'], { as: { lead: 'Country' }, isPersonal: true }),
  pincode: code('postalCode', 'PIN of the address, abroad its postal code', ['feed', 'lead'], {
    as: { lead: 'Pincode', row: 'Zip_Code' },
    isPersonal: true,
  }),
}

export const directorLeading: Leading<typeof directorColumns> = {
  feed: [
    'din',
    'first_name',
    'middle_name',
    'last_name',
    'full_name',
    'approved_on',
    'status',
    'disqualified',
    'district',
    'state',
    'pincode',
  ],
}

/**
 * Columns of registry.directorship. Details and leads show appointments with the names of the company and the person.
 */
export const directorshipColumns = {
  id: unshown('text', 'Company, person, designation and day, by which an appointment is known again'),
  cin: identifier('CIN', 'The company', []),
  din: identifier('DIN', 'The person', [], { isPersonal: true }),
  designation: text('Designation', 'The office', [], { isFilled: true, isPersonal: true }),
  appointed_on: date('dateOfAppointment', 'Day of the appointment', [], { isPersonal: true }),
  ceased_on: date('dateOfCessation', 'Day on which it ended', [], { isPersonal: true }),
}
