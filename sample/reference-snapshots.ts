/**
 * Reference lists for the sample: the postal codes of its towns, the industries of its companies in both vintages,
 * and the goods and services of its taxpayers. Excerpts, so that a sample world resolves districts and descriptions
 * without the full lists.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { registrars } from './places.ts'
import { cell, writeSnapshotFile } from './snapshot-file.ts'
import { tariffHeader, tariffLines } from './tariff-lines.ts'

export interface ReferenceFile {
  readonly source: 'pincodes' | 'nic' | 'hsn-sac'
  readonly path: string
  readonly rows: number
}

/** Ingest these before the registers: places and descriptions are resolved while a register is ingested. */
export async function generateReferenceSnapshots(
  outDir: string,
  signal?: AbortSignal,
): Promise<{ files: ReferenceFile[] }> {
  await mkdir(outDir, { recursive: true })
  const options = { signal, onBlock: () => {} }
  const pincodes = join(outDir, 'pincodes.csv')
  const nic = join(outDir, 'nic.csv')
  const tariff = join(outDir, 'hsn-sac.csv')
  return {
    files: [
      {
        source: 'pincodes',
        path: pincodes,
        rows: await writeSnapshotFile(pincodes, 'pincode,state,district,offices', pincodeLines(), options),
      },
      {
        source: 'nic',
        path: nic,
        rows: await writeSnapshotFile(nic, 'code,level,section,division,description,vintage', nicLines(), options),
      },
      { source: 'hsn-sac', path: tariff, rows: await writeSnapshotFile(tariff, tariffHeader, tariffLines(), options) },
    ],
  }
}

function* pincodeLines(): Generator<string> {
  for (const { state, towns } of registrars) {
    for (const { district, pins } of towns) {
      for (const [rank, pin] of pins.entries()) yield `${pin},${state},${district},${12 - rank}\n`
    }
  }
}

function* nicLines(): Generator<string> {
  for (const [vintage, lines] of [
    ['2008', nic2008],
    ['2004', nic2004],
  ] as const) {
    for (const line of lines.trim().split('\n')) {
      const [, section, code = '', description = ''] = /^(\w) (\d+) (.+)$/.exec(line.trim()) ?? []
      const level = code.length === 2 ? 'division' : 'subclass'
      yield `${code},${level},${section},${code.slice(0, 2)},${cell(description)},${vintage}\n`
    }
  }
}

const nic2008 = `
A 01 Crop and animal production, hunting and related service activities
A 01111 Growing of wheat
A 01132 Growing of fruit-bearing vegetables and melons
A 03 Fishing and aquaculture
A 03221 Fish farming in freshwater
B 07 Mining of metal ores
B 07100 Mining of iron ores
B 08 Other mining and quarrying
B 08106 Operation of sand or gravel pits, crushing and breaking of stone
C 10 Manufacture of food products
C 10611 Flour milling
C 10712 Manufacture of biscuits, cakes, pastries and rusks
C 11 Manufacture of beverages
C 11043 Manufacture of mineral water
C 13 Manufacture of textiles
C 13131 Finishing of cotton and blended cotton textiles
C 14 Manufacture of wearing apparel
C 14101 Manufacture of textile garments and clothing accessories
C 17 Manufacture of paper and paper products
C 17016 Manufacture of paper board and straw board
C 18 Printing and reproduction of recorded media
C 18112 Printing of periodicals, books, brochures, maps and posters
C 20 Manufacture of chemicals and chemical products
C 20231 Manufacture of soap, all forms
C 21 Manufacture of pharmaceuticals, medicinal chemical and botanical products
C 21002 Manufacture of allopathic pharmaceutical preparations
C 22 Manufacture of rubber and plastics products
C 22203 Manufacture of plastic articles for the packing of goods
C 23 Manufacture of other non-metallic mineral products
C 23952 Manufacture of articles of concrete, cement or artificial stone
C 24 Manufacture of basic metals
C 24311 Manufacture of cast-iron and cast-steel tubes, pipes and fittings
C 26 Manufacture of computer, electronic and optical products
C 26201 Manufacture of desktop, laptop and hand-held computers
C 27 Manufacture of electrical equipment
C 27103 Manufacture of electric motors
C 28 Manufacture of machinery and equipment n.e.c.
C 28132 Manufacture of other pumps, compressors, taps and valves
C 31 Manufacture of furniture
C 31001 Manufacture of furniture made of wood
C 32 Other manufacturing
C 32111 Manufacture of jewellery of precious or base metal
D 35 Electricity, gas, steam and air conditioning supply
D 35105 Electric power generation using solar energy
F 41 Construction of buildings
F 41001 Construction of buildings on own account or on a fee or contract basis
F 42 Civil engineering
F 42101 Construction and maintenance of motorways, streets and roads
F 43 Specialized construction activities
F 43211 Installation of electrical wiring and fittings
G 46 Wholesale trade, except of motor vehicles and motorcycles
G 46101 Commission agents and brokers in wholesale of agricultural raw material
G 46491 Wholesale of toiletry, perfumery and cosmetics
G 46909 Other non-specialised wholesale trade n.e.c.
G 47 Retail trade, except of motor vehicles and motorcycles
G 47110 Retail sale in non-specialized stores with food, beverages or tobacco predominating
G 47711 Retail sale of readymade garments, hosiery and clothing accessories
G 47912 Retail sale via e-commerce
H 49 Land transport and transport via pipelines
H 49231 Motorised road freight transport
H 52 Warehousing and support activities for transportation
H 52101 Warehousing of refrigerated goods (cold storage)
I 55 Accommodation
I 55101 Hotels, motels, inns and resorts providing short term lodging
I 56 Food and beverage service activities
I 56101 Restaurants without bars
J 58 Publishing activities
J 58131 Publishing of newspapers
J 62 Computer programming, consultancy and related activities
J 62011 Writing, modifying and testing of computer programs for a particular client
J 62020 Computer consultancy and computer facilities management activities
J 62099 Other information technology and computer service activities n.e.c.
K 64 Financial service activities, except insurance and pension funding
K 64920 Other credit granting
K 66 Other financial activities
K 66190 Activities auxiliary to financial service activities n.e.c.
L 68 Real estate activities
L 68100 Real estate activities with own or leased property
L 68200 Real estate activities on a fee or contract basis
M 70 Activities of head offices; management consultancy activities
M 70200 Management consultancy activities
M 74 Other professional, scientific and technical activities
M 74909 Other professional, scientific and technical activities n.e.c.
N 79 Travel agency, tour operator and other reservation service activities
N 79110 Travel agency activities
N 82 Office administrative, office support and other business support activities
N 82990 Other business support service activities n.e.c.
P 85 Education
P 85500 Educational support services
Q 86 Human health activities
Q 86100 Hospital activities
R 93 Sports activities and amusement and recreation activities
R 93120 Activities of sports clubs
`

/** Divisions only: the registrar's own words describe the sub-classes of this vintage. */
const nic2004 = `
A 01 Agriculture, hunting and related service activities
C 13 Mining of metal ores
C 14 Other mining and quarrying
D 15 Manufacture of food products and beverages
D 17 Manufacture of textiles
D 18 Manufacture of wearing apparel, dressing and dyeing of fur
D 21 Manufacture of paper and paper products
D 22 Publishing, printing and reproduction of recorded media
D 24 Manufacture of chemicals and chemical products
D 27 Manufacture of basic metals
D 28 Manufacture of fabricated metal products, except machinery and equipment
D 29 Manufacture of machinery and equipment n.e.c.
D 31 Manufacture of electrical machinery and apparatus n.e.c.
D 32 Manufacture of radio, television and communication equipment and apparatus
D 36 Manufacture of furniture; manufacturing n.e.c.
E 40 Electricity, gas, steam and hot water supply
F 45 Construction
G 51 Wholesale trade and commission trade, except of motor vehicles and motorcycles
G 52 Retail trade, except of motor vehicles and motorcycles
H 55 Hotels and restaurants
I 60 Land transport; transport via pipelines
I 63 Supporting and auxiliary transport activities; activities of travel agencies
J 65 Financial intermediation, except insurance and pension funding
J 67 Activities auxiliary to financial intermediation
K 70 Real estate activities
K 72 Computer and related activities
K 74 Other business activities
M 80 Education
N 85 Health and social work
O 92 Recreational, cultural and sporting activities
`
