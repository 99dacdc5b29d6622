/** Cells as the registries write them, clean and dirty, field by field of each source: registry facts, 1 to 4. Invented values. */
import fc from 'fast-check'
import { checkDigitOf } from '../read/identifiers.ts'

type Cell = fc.Arbitrary<string>
const of = (...cells: readonly string[]): Cell => fc.constantFrom(...cells)
/** Mostly `usual`, now and then something else. */
const mostly = (usual: Cell, seldom: Cell): Cell =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: seldom })
/** As people and spreadsheets write it. */
const spelled = (cell: Cell): Cell =>
  fc
    .tuple(cell, fc.nat(19))
    .map(([text, how]) => (how === 0 ? ` ${text}` : how === 1 ? text.toLowerCase() : how === 2 ? `${text} ` : text))
const optional = (cell: Cell): Cell => mostly(cell, of('', 'NA', ' '))

const cins = ['U74999GA2019PTC000001', 'L01110MH2023PLC000002', 'U72200KA2004OPC000003', 'U36999TN2024NPL000004']
const companyId = mostly(
  spelled(of(...cins, 'AAC-3965', 'FABC-0001', 'F01234')),
  of('', 'ALLA', 'U63040GA2006PTCOO4531', 'AAC3965', 'U74999GA2019PTC00001'),
)
const din = mostly(
  spelled(of('00000011', '00000022', '10000033', '10000044')),
  of('11', '22.0', '', '123456789', 'DIN1'),
)
const gstinOf = (first14: string) => first14 + checkDigitOf(first14)
const gstins = ['30AAACK0001A1Z', '27AAAPK0002B1Z', '29AAAFO0103C2Z', '33AAACK0001A1C', '21DELA01234A1D'].map(gstinOf)
const gstin = mostly(
  spelled(of(...gstins)),
  of('', gstins[2]?.replace('0103', 'O1O3') ?? '', '27AABCU9603R1ZM', '30AAACK0001A1Z'),
)

const text = optional(
  of(
    'KONKAN CASHEW PRIVATE LIMITED',
    'CAFÉ "SÃO PEDRO" LIMITED',
    'MANDOVI   SPICES & SONS',
    'CURLY�x80x99S HOUSE',
    'A; B | C, D',
    'LINE ONE\nLINE TWO',
    'CAFÃ© MANDOVI',
  ),
)
const named = of('KONKAN CASHEW LIMITED', 'CAFÉ "SÃO PEDRO" LIMITED', 'MANDOVI SPICES, SONS', 'ZUARI; TRADERS')
const amount = mostly(
  of(
    '100000',
    '100000.00',
    '1,00,000.00',
    '1E+9',
    '9E+9',
    'Rs. 10,00,000/-',
    '0.506',
    '0.00',
    '',
    'NA',
    '30,000,000,000.00',
  ),
  of('lots', '1.2.3'),
)
const state = optional(of('goa', 'Goa', 'GOA', 'Maharashtra', 'Pondicherry', 'Orissa', 'TAMILNADU', 'Karnataka'))
const pincode = optional(of('403001', '411001', ' 560001', '403507.0', '000000', '40300'))
const phone = optional(
  of('9812345678', '+91 98123 45678', '09812345679', '98123-45677', '12345', '9812345678;9812345679'),
)
const email = optional(of('a@example.in', 'B@Example.in', 'a@example.in; c@example.in', 'nobody', 'a@'))
const yesNo = optional(of('Yes', 'No', 'Y', 'n', 'TRUE', '0', 'perhaps'))
const code = (...codes: readonly string[]): Cell => optional(of(...codes))

/** A date is a day and how it is written; `order.ts` of the file writes it. */
export const dateFields = new Set([
  ...['registeredOn', 'cancelledOn', 'lastAgmOn', 'balanceSheetOn', 'approvedOn', 'bornOn'],
  ...['appointedOn', 'ceasedOn', 'statedOn', 'expiresOn'],
])

const companyStatus = optional(
  of('Active', 'ACTIVE', 'ACTV', 'Strike Off', 'STOF', 'Under process of striking off', 'Gone fishing'),
)
const registrar = optional(
  of('ROC Goa', 'RoC-Goa', 'ROC GOA', 'ROC Mumbai', 'ROC CHENNAI', 'ROC Chennai', 'RoC-Chennai'),
)
const company: Readonly<Record<string, Cell>> = {
  id: companyId,
  name: named,
  status: companyStatus,
  class: code('Private', 'Public', 'OPC', 'PRIVATE'),
  category: code('Company limited by shares', 'COMPANY LIMITED BY GUARANTEE', 'Unlimited'),
  subCategory: code('Non-government company', 'subsidiary of company incorporated outside India'),
  authorisedCapital: amount,
  paidUpCapital: amount,
  address: optional(
    of('1 MG ROAD,PANAJI,Goa,403001-India', 'NA,MARGAO,goa,000000-India', '5   Fort,Mumbai,Maharashtra,NA-India'),
  ),
  registrar,
  listing: code('Listed', 'UNLISTED'),
  state,
  origin: code('Indian', 'Foreign'),
  nicCode: code('74999', '01110', '62011'),
  industry: code('Software', 'printingand'),
  email,
  previousIds: code('U74999GA2018PTC000009', 'U74999GA2018PTC000009;AAC-3966', 'none'),
}
const gst: Readonly<Record<string, Cell>> = {
  id: gstin,
  legalName: text,
  tradeName: text,
  constitution: code('Proprietorship', 'PVT', 'Private Limited Company', 'Guild'),
  taxpayerType: code('Regular', 'COMPOSITION', 'ISD'),
  status: code('Active', 'Cancelled suo-moto', 'SUS', 'Asleep'),
  activities: code('Export;Import', 'Retail Business', ' Export ;; Wholesale Business '),
  coreBusiness: code('MFT', 'TRD'),
  building: code('12', 'H. NO. 564/BGF "A WING"'),
  floor: code('1st', 'Ground'),
  buildingName: code('Harbour House'),
  address: code('12, MG ROAD', 'H. NO. 564/BGF "A WING", Panaji'),
  street: code('MG ROAD', 'Link Road'),
  locality: code('Panaji', 'Shivajinagar'),
  district: code('Pune', 'North Goa'),
  city: code('Pune', 'Panaji'),
  state,
  pincode,
  hsnCodes: code('8471;0306', '84'),
  sacCodes: code('998313'),
  stateJurisdiction: code('Ward 1'),
  centreJurisdiction: code('RANGE-I'),
}
const director: Readonly<Record<string, Cell>> = {
  id: din,
  firstName: code('ASHA', 'RAJESH'),
  middleName: code('KUMAR', 'VENKATA RAMANA'),
  lastName: code('NAIK', 'SHARMA'),
  fullName: mostly(of('ASHA NAIK', 'RAJESH KUMAR SHARMA', 'MADHURI'), of('ASHA VENKATA RAMANA NAIK')),
  status: code('Approved', 'DEACTIVATED', 'Deactivated due to non-filing of DIR-3 KYC'),
  disqualified: yesNo,
  nationality: code('India', 'IN'),
  gender: code('Male', 'Female'),
  citizenOfIndia: yesNo,
  residentOfIndia: yesNo,
  address: code('1 MG ROAD', 'Flat 2;\nLink Road'),
  city: code('Panaji', 'Pune'),
  district: code('Pune', 'North Goa'),
  state,
  country: code('India'),
  pincode,
}
const directorship: Readonly<Record<string, Cell>> = {
  company: companyId,
  director: din,
  designation: code('Director', 'Managing Director'),
}
const contact: Readonly<Record<string, Cell>> = {
  entity: mostly(of('company', 'Company', 'director'), of('gst', 'person')),
  identifier: mostly(of(...cins.slice(0, 2), '00000011', '22'), of(gstins[0] ?? '', 'nobody')),
  email,
  mobile: phone,
  phone,
  origin: code('web', 'fair 2025'),
}
const preference: Readonly<Record<string, Cell>> = {
  value: mostly(of('a@example.in', 'B@example.in', '9812345678', '+91 98123 45678', '09812345679'), of('nobody', '')),
  preference: mostly(code('do_not_contact', 'consent', 'Consent'), of('maybe')),
  list: code('DND', 'fair 2025'),
}
const tariff: Readonly<Record<string, Cell>> = {
  hsnCode: code('0306', '30559', '2307 00', '84713010', '77', '40210'),
  hsnDescription: code('Fish', 'Machines “new”', 'Cashew, shelled'),
  sacCode: of('', '', '', '998313', '9983', '99'),
  sacDescription: code('Services', 'IT "design"'),
}
const nic: Readonly<Record<string, Cell>> = {
  code: mostly(of('01', '011', '01110', '62', '62011'), of('')),
  level: mostly(of('Division', 'group', 'class', 'sub-class'), of('')),
  section: code('A', 'J'),
  division: mostly(of('1', '62', '01'), of('100', 'x', '')),
  description: mostly(of('Growing of wheat', 'Software, designed', 'Manufac Ture'), of('')),
  vintage: mostly(of('2008', '2004', ''), of('1998')),
}
const pin: Readonly<Record<string, Cell>> = {
  pincode: mostly(of('403001', '403507', '411001'), of('40300')),
  state: of('GOA', 'Maharashtra', 'goa', 'NA'),
  district: of('NORTH GOA', 'Pune', 'south goa'),
  offices: mostly(of('1', '12', '12.0'), of('', 'x', '1,200')),
}

export const cellsOf: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  'mca-companies': company,
  'gst-taxpayers': gst,
  'mca-directors': director,
  'mca-directorships': directorship,
  contacts: contact,
  preferences: preference,
  'hsn-sac': tariff,
  nic,
  pincodes: pin,
}
