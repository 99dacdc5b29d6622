/** A city keeps its own name where that name ends with the state's; a state written behind a city is no part of it. */
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { file, ingest } = useIngest(database)

const cities = [
  ['New Delhi', 'Delhi', 'New Delhi'],
  ['NEW DELHI', 'Delhi', 'New Delhi'],
  ['New-Delhi', 'Delhi', 'New-Delhi'],
  ['North Delhi', 'Delhi', 'North Delhi'],
  ['South West Delhi', 'Delhi', 'South West Delhi'],
  ['Old Delhi', 'NCT of Delhi', 'Old Delhi'],
  ['Delhi', 'Delhi', 'Delhi'],
  ['Delhi Cantt', 'Delhi', 'Delhi Cantt'],
  ['Rohini Delhi', 'Delhi', 'Rohini'],
  ['Rohini, New Delhi', 'Delhi', 'Rohini, New Delhi'],
  ['Old Goa', 'Goa', 'Old Goa'],
  ['OLD GOA', 'goa', 'Old Goa'],
  ['Velha Goa', 'Goa', 'Velha Goa'],
  ['Goa Velha', 'Goa', 'Goa Velha'],
  ['North Goa', 'Goa', 'North Goa'],
  ['Panaji Goa', 'Goa', 'Panaji'],
  ['Panaji, Goa.', 'Goa', 'Panaji'],
  ['Panaji-Goa', 'Goa', 'Panaji'],
  ['New Panaji Goa', 'Goa', 'New Panaji'],
  ['Malad West Maharashtra', 'Maharashtra', 'Malad West'],
  ['Navi Mumbai, Maharashtra', 'Maharashtra', 'Navi Mumbai'],
  ['Navi Mumbai', 'Maharashtra', 'Navi Mumbai'],
  ['New Chandigarh', 'Chandigarh', 'New Chandigarh'],
  ['Upper Assam', 'Assam', 'Upper Assam'],
  ['Guwahati Assam', 'Assam', 'Guwahati'],
  ['Old Goa, Goa', 'Goa', 'Old Goa'],
  ['NCT of Delhi', 'Delhi', 'NCT of Delhi'],
  ['N Delhi', 'Delhi', 'N Delhi'],
  ['N.W. Delhi', 'Delhi', 'N.W. Delhi'],
  ['S. Delhi', 'Delhi', 'S. Delhi'],
  ['Purvi Delhi', 'Delhi', 'Purvi Delhi'],
  ['Nai Delhi', 'Delhi', 'Nai Delhi'],
  ['Purana Goa', 'Goa', 'Purana Goa'],
  ['Distt. Delhi', 'Delhi', 'Distt. Delhi'],
  ['Near Delhi', 'Delhi', 'Near Delhi'],
  ['U.T. Chandigarh', 'Chandigarh', 'U.T. Chandigarh'],
  ['State of Goa', 'Goa', 'State of Goa'],
  ['Malad W Maharashtra', 'Maharashtra', 'Malad W'],
  ['Kerala Nagar', 'Kerala', 'Kerala Nagar'],
  ['Kerala Nagar, Kerala', 'Kerala', 'Kerala Nagar'],
  ['Siliguri West Bengal', 'West Bengal', 'Siliguri'],
  ['MORJIM  PERNEM', 'Goa', 'Morjim Pernem'],
  ['VASCO   DA  GAMA  GOA', 'Goa', 'Vasco Da Gama'],
] as const
const state = (name: string) => (name === 'goa' ? 'Goa' : name.replace('NCT of ', ''))

test('directors keep the names of their cities', async () => {
  const lines = cities.map(
    ([city, stateName], index) => `${index + 1},ASHA KAMAT,Approved,2020-01-05,"${city}",${stateName}`,
  )
  const run = await ingest(
    'mca-directors',
    file('directors.csv', ['DIN,FullName,DINStatus,DINApprovalDate,City,State', ...lines, ''].join('\n')),
  )
  expect(run).toMatchObject({ status: 'succeeded', inserted: cities.length })
  const rows = await database.db.query('SELECT city, state FROM registry.director ORDER BY din')
  expect(rows).toEqual(cities.map(([, stateName, city]) => ({ city, state: state(stateName) })))
})

test('GST registrations keep the names of their cities', async () => {
  const run = await ingest(
    'gst-taxpayers',
    file(
      'gst.csv',
      [
        'gstin,lgnm,dty,sts,rgdt,loc,city,dst,stcd,pncd',
        '27AAACR5055K1Z7,A,Regular,Active,01/07/2017,,Navi Mumbai Maharashtra,Thane,Maharashtra,400703',
        '29AAICA3918J1ZE,B,Regular,Active,01/07/2017,New Delhi,,New Delhi,Delhi,110001',
        '',
      ].join('\n'),
    ),
  )
  expect(run).toMatchObject({ status: 'succeeded', inserted: 2 })
  expect(await database.db.query('SELECT city, district FROM registry.gst_taxpayer ORDER BY gstin')).toEqual([
    { city: 'Navi Mumbai', district: 'Thane' },
    { city: 'New Delhi', district: 'New Delhi' },
  ])
})

const addresses = [
  ['1 MG ROAD,NEW DELHI,Delhi,110001-India', 'New Delhi', 'Delhi'],
  ['5TH FLOOR,NEHRU PLACE,New Delhi,Delhi,110019-India', 'New Delhi', 'Delhi'],
  ['12 CHANDNI CHOWK,Old Delhi,Delhi,110006-India', 'Old Delhi', 'Delhi'],
  ['H NO 5,OLD GOA,North Goa,Goa,403402-India', 'Old Goa', 'Goa'],
  ['H NO 5,PANAJI GOA,North Goa,Goa,403001-India', 'Panaji', 'Goa'],
  ['H NO 5,Goa Velha,Goa,403108-India', 'Goa Velha', 'Goa'],
  ['5 PITAMPURA,N.W. DELHI,Delhi,110034-India', 'N.W. Delhi', 'Delhi'],
  ['1 VASHI,Navi Mumbai,Maharashtra,400703-India', 'Navi Mumbai', 'Maharashtra'],
] as const
const cin = (index: number) => `U85100GA2022PTC0160${String(index).padStart(2, '0')}`

test.each(['without', 'with'])('companies keep the names of their towns %s the PIN directory', async (directory) => {
  if (directory === 'with') {
    const pins = ['pincode,state,district,offices', '110001,DELHI,NEW DELHI,3', '403001,GOA,NORTH GOA,9', '']
    await ingest('pincodes', file('pins.csv', pins.join('\n')))
  }
  const [header] = (await import('node:fs')).readFileSync(registryFixture('mca-companies-2023.csv'), 'utf8').split('\n')
  const lines = addresses.map(
    ([address, , stateName], index) =>
      `${cin(index)},COMPANY ${index} PRIVATE LIMITED,ROC ${directory},Company limited by shares,Non-government company,` +
      `Private,1000000.00,500000.00,2022-11-23,"${address}",Unlisted,Active,${stateName.toLowerCase()},Indian,85100,Trading`,
  )
  await ingest('mca-companies', file(`companies-${directory}.csv`, [header, ...lines, ''].join('\n')), {
    mode: 'delta',
    asOf: directory === 'with' ? '2025-02-01' : '2025-01-01',
  })
  expect(await database.db.query('SELECT city, state FROM registry.company ORDER BY cin')).toEqual(
    addresses.map(([, city, stateName]) => ({ city, state: stateName })),
  )
})
