/**
 * The codes of goods and services in which the sample's taxpayers trade, with their chapters and headings, as the GST
 * portal describes them; long descriptions end at a comma.
 */
import { cell } from './snapshot-file.ts'

export const tariffHeader = 'HSN_CD,HSN_Description,SAC_CD,SAC_Description'

export function* tariffLines(): Generator<string> {
  for (const { code, description } of entriesOf(goods)) yield `${code},${cell(description)},,\n`
  for (const { code, description } of entriesOf(services)) yield `,,${code},${cell(description)}\n`
}

function entriesOf(list: string): { code: string; description: string }[] {
  return list
    .trim()
    .split('\n')
    .map((line) => ({ code: line.slice(0, line.indexOf(' ')), description: line.slice(line.indexOf(' ') + 1) }))
}

const goods = `
07 Edible vegetables and certain roots and tubers
0701 POTATOES, FRESH OR CHILLED
08 Edible fruit and nuts; peel of citrus fruit or melons
0803 BANANAS, INCLUDING PLANTAINS, FRESH OR DRIED
10 Cereals
1001 WHEAT AND MESLIN
11 Products of the milling industry; malt; starches; inulin; wheat gluten
1101 WHEAT OR MESLIN FLOUR
19 Preparations of cereals, flour, starch or milk; pastrycooks' products
1905 BREAD, PASTRY, CAKES, BISCUITS AND OTHER BAKERS' WARES, WHETHER OR NOT CONTAINING COCOA
190531 SWEET BISCUITS
19053100 SWEET BISCUITS
21 Miscellaneous edible preparations
2106 FOOD PREPARATIONS NOT ELSEWHERE SPECIFIED OR INCLUDED
22 Beverages, spirits and vinegar
2201 WATERS, INCLUDING NATURAL OR ARTIFICIAL MINERAL WATERS AND AERATED WATERS
25 SALT, SULPHUR, EARTHS AND STONE, PLASTERING MATERIALS, LIME AND CEMENT
2505 NATURAL SANDS OF ALL KINDS, WHETHER OR NOT COLOURED, OTHER THAN METAL-BEARING SANDS OF CHAPTER 26
2517 PEBBLES, GRAVEL, BROKEN OR CRUSHED STONE, OF A KIND COMMONLY USED FOR CONCRETE AGGREGATES
2523 PORTLAND CEMENT, ALUMINOUS CEMENT, SLAG CEMENT, SUPERSULPHATE CEMENT AND SIMILAR HYDRAULIC CEMENTS
26 Ores, slag and ash
2601 IRON ORES AND CONCENTRATES, INCLUDING ROASTED IRON PYRITES
29 ORGANIC CHEMICALS
2933 HETEROCYCLIC COMPOUNDS WITH NITROGEN HETERO-ATOM(S) ONLY
30 Pharmaceutical products
3004 MEDICAMENTS (EXCLUDING GOODS OF HEADING 3002
300490 OTHER
30049099 OTHER
33 Essential oils and resinoids, perfumery, cosmetic or toilet preparations
3304 BEAUTY OR MAKE-UP PREPARATIONS AND PREPARATIONS FOR THE CARE OF THE SKIN (OTHER THAN MEDICAMENTS)
34 SOAP, ORGANIC SURFACE-ACTIVE AGENTS, WASHING PREPARATIONS, LUBRICATING PREPARATIONS
3402 ORGANIC SURFACE-ACTIVE AGENTS (OTHER THAN SOAP), SURFACE-ACTIVE PREPARATIONS
38 Miscellaneous chemical products
3808 INSECTICIDES, RODENTICIDES, FUNGICIDES, HERBICIDES
39 Plastics and articles thereof
3923 ARTICLES FOR THE CONVEYANCE OR PACKING OF GOODS, OF PLASTICS; STOPPERS, LIDS
48 PAPER AND PAPERBOARD, ARTICLES OF PAPER PULP, OF PAPER OR OF PAPERBOARD
4802 UNCOATED PAPER AND PAPERBOARD, OF A KIND USED FOR WRITING, PRINTING OR OTHER GRAPHIC PURPOSES
4819 CARTONS, BOXES, CASES, BAGS AND OTHER PACKING CONTAINERS, OF PAPER, PAPERBOARD
49 Printed books, newspapers, pictures and other products of the printing industry; manuscripts
4901 PRINTED BOOKS, BROCHURES, LEAFLETS AND SIMILAR PRINTED MATTER, WHETHER OR NOT IN SINGLE SHEETS
52 Cotton
5208 WOVEN FABRICS OF COTTON, CONTAINING 85% OR MORE BY WEIGHT OF COTTON, WEIGHING NOT MORE THAN 200 G/
54 Man-made filaments; strip and the like of man-made textile materials
5407 WOVEN FABRICS OF SYNTHETIC FILAMENT YARN
61 Articles of apparel and clothing accessories, knitted or crocheted
6109 T-SHIRTS, SINGLETS AND OTHER VESTS, KNITTED OR CROCHETED
64 Footwear, gaiters and the like; parts of such articles
6403 FOOTWEAR WITH OUTER SOLES OF RUBBER, PLASTICS, LEATHER OR COMPOSITION LEATHER AND UPPERS OF LEATHER
69 Ceramic products
6907 CERAMIC FLAGS AND PAVING, HEARTH OR WALL TILES, CERAMIC MOSAIC CUBES AND THE LIKE
71 Natural or cultured pearls, precious or semi-precious stones, precious metals
7113 ARTICLES OF JEWELLERY AND PARTS THEREOF, OF PRECIOUS METAL OR OF METAL CLAD WITH PRECIOUS METAL
72 Iron and steel
7214 OTHER BARS AND RODS OF IRON OR NON-ALLOY STEEL, NOT FURTHER WORKED THAN FORGED, HOT-ROLLED
73 Articles of iron or steel
7308 STRUCTURES (EXCLUDING PREFABRICATED BUILDINGS OF HEADING 9406) AND PARTS OF STRUCTURES (FOR EXAMPLE
76 Aluminium and articles thereof
7604 ALUMINIUM BARS, RODS AND PROFILES
84 Nuclear reactors, boilers, machinery and mechanical appliances; parts thereof
8413 PUMPS FOR LIQUIDS, WHETHER OR NOT FITTED WITH A MEASURING DEVICE, LIQUID ELEVATORS
8418 REFRIGERATORS, FREEZERS AND OTHER REFRIGERATING OR FREEZING EQUIPMENT, ELECTRIC OR OTHER
8471 AUTOMATIC DATA PROCESSING MACHINES AND UNITS THERE OF , MAGNETIC OR OPTICAL READERS
847130 PORTABLE AUTOMATIC DATA PROCESSING MACHINES, WEIGHING NOT MORE THAN 10 KG
84713010 PERSONAL COMPUTER
8481 TAPS, COCKS, VALVES AND SIMILAR APPLIANCES FOR PIPES, BOILER SHELLS, TANKS, VATS OR THE LIKE
85 Electrical machinery and equipment and parts thereof; sound recorders and reproducers
8501 ELECTRIC MOTORS AND GENERATORS (EXCLUDING GENERATING SETS)
8541 SEMICONDUCTOR DEVICES (FOR EXAMPLE, DIODES, TRANSISTORS, SEMICONDUCTOR-BASED TRANSDUCERS)
94 FURNITURE, BEDDING, MATTRESSES, MATTRESS SUPPORTS, CUSHIONS AND SIMILAR STUFFED FURNISHING
9403 OTHER FURNITURE AND PARTS THEREOF
940360 OTHER WOODEN FURNITURE
94036000 OTHER WOODEN FURNITURE
95 Toys, games and sports requisites; parts and accessories thereof
9503 TRICYCLES, SCOOTERS, PEDAL CARS AND SIMILAR WHEELED TOYS, DOLLS CARRIAGES, DOLLS, OTHER TOYS
`

const services = `
995411 Construction services of affordable residential apartments by a promoter in a Residential Real
995421 General construction services of highways, streets, roads
995461 Electrical installation services including Electrical wiring and fitting services
996311 Supply of 'hotel accommodation' service other than those covered by SAC 996321
996331 'Restaurant service' supplied by restaurants, cafes, Hotels, Inn, Guest House, Club
996511 Road transport services of goods including letters, parcels, live animals
996601 Rental services of buses and coaches with operator
996791 Goods transport agency services for road transport
996911 Electricity transmission or distribution services
996912 Gas distribution services
997113 Credit-granting services including stand-by commitment, guarantees and securities
997156 Financial consultancy services
997159 Other services auxiliary to financial services (other than to insurance and pensions)
997212 Rental or leasing services involving own or leased non-residential property
997221 Property management services on a fee or commission basis or on contract basis
998221 Financial auditing services
998311 Management consulting and management services including financial, strategic, human resources
998312 Business consulting services including public relations services
998313 Information technology consulting and support services
998314 Information technology design and development services
998315 Hosting and information technology infrastructure provisioning services
998611 Support services to agriculture, forestry, fishing, animal husbandry
998621 Support services to exploration , mining or drilling of petroleum crude or natural gas or both
999293 Commercial training and coaching services
999311 Inpatient services
999721 Hairdressing and barbers services
`
