/** Lines of business: the codes that the registers write for them in both vintages of the industrial classification. */
import { Weighted } from './random.ts'

export interface Activity {
  /** Words that end a company's name. */
  readonly words: readonly string[]
  /** Digits of companies registered before 2023. */
  readonly nic2004: readonly string[]
  /** Digits of companies registered since 2023. */
  readonly nic2008: readonly string[]
  readonly classification: string
  readonly hsn: readonly string[]
  readonly sac: readonly string[]
  /** The portal's code of the core business: manufacturer, trader, retailer, service provider. */
  readonly core: 'MFT' | 'TRD' | 'TRR' | 'SPO'
}

const activity = (classification: string, core: Activity['core'], ...lists: readonly string[]): Activity => {
  const [words = [], nic2004 = [], nic2008 = [], hsn = [], sac = []] = lists.map((list) =>
    list.split(' ').filter(Boolean),
  )
  return { words, nic2004, nic2008, classification, hsn, sac, core }
}

/** The typing error is the registrar's own. */
const paper = 'Manufacturing (Paper and Paper products, Publishing, printingand reproduction of recorded media)'
const metals = 'Manufacturing (Metals and Chemicals, and products thereof)'
const machines = 'Manufacturing (Machinery and Equipments)'
const social = 'Community, personal and Social Services'

/** Weights after the divisions of a whole state's register. */
export const activities = new Weighted<Activity>([
  [
    activity(
      'Business Services',
      'SPO',
      'CONSULTANTS ADVISORS MANAGEMENT',
      '74140 74999 74120',
      '70200 82990 74909',
      '',
      '998311 998312 998221',
    ),
    14,
  ],
  [activity('Trading', 'TRR', 'HOTELS RESORTS HOSPITALITY', '55101 55204', '55101 56101', '', '996311 996331'), 14],
  [activity('Trading', 'TRD', 'TRADERS EXIM MARKETING', '51909 51396', '46909 46491 46101', '3304 3402 8418', ''), 12],
  [activity('Trading', 'TRR', 'RETAIL STORES MART', '52190 52520', '47110 47711 47912', '6109 6403 2106', ''), 8],
  [
    activity(
      'Business Services',
      'SPO',
      'TECHNOLOGIES SOFTWARE INFOTECH SYSTEMS',
      '72200 72900 72501',
      '62011 62020 62099',
      '',
      '998313 998314 998315',
    ),
    11,
  ],
  [
    activity(
      'Real Estate and Renting',
      'SPO',
      'ESTATES REALTY PROPERTIES',
      '70101 70200',
      '68100 68200',
      '',
      '997212 997221',
    ),
    8,
  ],
  [
    activity(
      'Construction',
      'SPO',
      'CONSTRUCTIONS BUILDERS INFRA',
      '45201 45209',
      '41001 42101 43211',
      '2523 6907',
      '995411 995421 995461',
    ),
    7,
  ],
  [
    activity(
      'Manufacturing (Food stuffs)',
      'MFT',
      'FOODS BEVERAGES AGRO',
      '15122 15421 15549',
      '10611 10712 11043',
      '19053100 2106 1101 2201',
      '',
    ),
    5,
  ],
  [
    activity(
      'Transport, storage and Communications',
      'SPO',
      'LOGISTICS TRANSPORT CARGO TRAVELS',
      '63040 60231',
      '49231 52101 79110',
      '',
      '996511 996791 996601',
    ),
    5,
  ],
  [
    activity('Finance', 'SPO', 'FINANCE CAPITAL INVESTMENTS', '65921 67120', '64920 66190', '', '997113 997156 997159'),
    4,
  ],
  [
    activity(
      social,
      'SPO',
      'EDUCATION ACADEMY HEALTHCARE WELLNESS',
      '85110 80301 92190',
      '85500 86100 93120',
      '',
      '999293 999311 999721',
    ),
    6,
  ],
  [
    activity(
      metals,
      'MFT',
      'CHEMICALS PHARMA LABORATORIES',
      '24232 24249',
      '20231 21002 22203',
      '30049099 3808 2933 3923',
      '',
    ),
    4,
  ],
  [activity(metals, 'MFT', 'METALS STEELS ALLOYS', '27104 28112', '24311 23952', '7308 7214 7604', ''), 3],
  [
    activity(
      machines,
      'MFT',
      'ENGINEERING ELECTRICALS MACHINES ELECTRONICS',
      '29199 31909 32109',
      '28132 27103 26201',
      '8413 8481 8501 84713010',
      '',
    ),
    4,
  ],
  [
    activity(
      'Manufacturing (Textiles)',
      'MFT',
      'TEXTILES FABRICS APPARELS',
      '17119 18101',
      '13131 14101',
      '5208 6109 5407',
      '',
    ),
    3,
  ],
  [
    activity(
      'Manufacturing (Others)',
      'MFT',
      'FURNITURE JEWELS CRAFTS',
      '36101 36911',
      '31001 32111',
      '94036000 7113 9503',
      '',
    ),
    2,
  ],
  [
    activity(
      'Agriculture and Allied Activities',
      'TRD',
      'FARMS AGRITECH PLANTATIONS',
      '01110 01403',
      '01111 01132 03221',
      '1001 0701 0803',
      '998611',
    ),
    3,
  ],
  [
    activity(paper, 'MFT', 'PRINTERS PACKAGING PUBLISHERS', '22219 21023', '18112 17016 58131', '4802 4819 4901', ''),
    2,
  ],
  [
    activity(
      'Mining and Quarrying',
      'MFT',
      'MINERALS MINES STONES',
      '13100 14101',
      '08106 07100',
      '2601 2517 2505',
      '998621',
    ),
    1,
  ],
  [
    activity(
      'Electricity, Gas and Water companies',
      'SPO',
      'POWER ENERGY SOLAR',
      '40108 40102',
      '35105',
      '8541',
      '996911 996912',
    ),
    1,
  ],
])
