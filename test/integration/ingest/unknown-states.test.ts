/** A state that is written in a way that nobody foresaw. */
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { gstinOf } from '../orders/world.ts'

const database = useTestDatabase()
const { file, ingest } = useIngest(database)

test('a state that no spelling is known of is told by the GSTIN before the PIN, kept where nothing tells it, and reported', async () => {
  const pins = ['pincode,state,district,offices', '403001,GOA,NORTH GOA,9', '682001,KERALA,ERNAKULAM,4', '']
  await ingest('pincodes', file('pins-of-states.csv', pins.join('\n')))
  const gst = [
    'gstin,lgnm,dty,sts,rgdt,dst,stcd,pncd',
    `${gstinOf(71, '32')},A,Regular,Active,01/07/2017,,KERELA,403001`,
    `${gstinOf(72, '32')},B,Regular,Active,01/07/2017,,,682001`,
    `${gstinOf(73, '30')},C,Regular,Active,01/07/2017,,Goa,682001`,
    '',
  ]
  await ingest('gst-taxpayers', file('gst-states.csv', gst.join('\n')), { mode: 'delta' })
  const kept = `SELECT state, district FROM registry.gst_taxpayer WHERE gstin = ANY ($1) ORDER BY gstin DESC`
  const gstins = [gstinOf(71, '32'), gstinOf(72, '32'), gstinOf(73, '30')]
  expect(await database.db.query(kept, [gstins])).toEqual(
    expect.arrayContaining([
      { state: 'Kerala', district: null },
      { state: 'Kerala', district: 'Ernakulam' },
      { state: 'Goa', district: null },
    ]),
  )
  const people = [
    'DIN,FullName,DINStatus,City,State,Pincode',
    '901,A,Approved,Dubai,Dubai,',
    '902,B,Approved,X,goa,',
    '903,C,Approved,Y,NA,',
    '',
  ]
  const run = await ingest('mca-directors', file('states.csv', people.join('\n')), { mode: 'delta' })
  expect(run.report).toMatchObject({ unknown_words: { state: { Dubai: 1 } } })
  const states = await database.db.query(
    `SELECT state FROM registry.director WHERE din IN ('00000901', '00000902', '00000903') ORDER BY din`,
  )
  expect(states).toEqual([{ state: 'Dubai' }, { state: 'Goa' }, { state: null }])
})

test('an address abroad is in no state or district of India, whatever its codes look like', async () => {
  const pins = ['pincode,state,district,offices', '560123,KARNATAKA,BENGALURU,9', '403001,GOA,NORTH GOA,9', '']
  await ingest('pincodes', file('pins-and-countries.csv', pins.join('\n')), { mode: 'delta' })
  const people = [
    'DIN,FullName,DINStatus,City,District,State,Country,Pincode',
    '911,A,Approved,Singapore,,Singapore,SINGAPORE,560123',
    '912,B,Approved,Atlanta,Fulton,GA,United States of America,30301',
    '913,C,Approved,London,,,U.K.,SW1A 1AA',
    '914,D,Approved,Panaji,,,INDIA,403001',
    '915,E,Approved,Panaji,,,,403001',
    '',
  ]
  const run = await ingest('mca-directors', file('countries.csv', people.join('\n')), { mode: 'delta' })
  expect(run.report?.['repaired']).toEqual({ din_lost_zeros: 5 })
  const places = await database.db.query(
    `SELECT din, city, district, state, pincode FROM registry.director WHERE din BETWEEN '00000911' AND '00000915' ORDER BY din`,
  )
  expect(places).toEqual([
    { din: '00000911', city: 'Singapore', district: null, state: 'Singapore', pincode: '560123' },
    { din: '00000912', city: 'Atlanta', district: 'Fulton', state: 'GA', pincode: '30301' },
    { din: '00000913', city: 'London', district: null, state: null, pincode: 'SW1A 1AA' },
    { din: '00000914', city: 'Panaji', district: 'North Goa', state: 'Goa', pincode: '403001' },
    { din: '00000915', city: 'Panaji', district: 'North Goa', state: 'Goa', pincode: '403001' },
  ])
})

test('a file without countries leaves an address abroad where it is, and moves one in India', async () => {
  const pins = ['pincode,state,district,offices', '560123,KARNATAKA,BENGALURU,9', '403001,GOA,NORTH GOA,9', '']
  await ingest('pincodes', file('pins-of-delta.csv', pins.join('\n')), { mode: 'delta' })
  const people = [
    'DIN,FullName,DINStatus,City,District,State,Country,Pincode',
    '961,A,Approved,Atlanta,Fulton,GA,USA,30301',
    '962,B,Approved,,,,Singapore,560123',
    '963,C,Approved,Bengaluru,,Karnataka,India,560123',
    '',
  ]
  await ingest('mca-directors', file('with-countries.csv', people.join('\n')), { mode: 'delta' })
  const places = () =>
    database.db.query(
      `SELECT din, status, city, district, state, country, pincode FROM registry.director
       WHERE din BETWEEN '00000961' AND '00000963' ORDER BY din`,
    )
  const [usa, singapore] = await places()
  const delta = [
    'DIN,FullName,DINStatus,City,District,State,Pincode',
    '961,A,Deactivated,Atlanta,Fulton,GA,30301',
    '962,B,Deactivated,,,,560123',
    '963,C,Deactivated,,,Goa,403001',
    '',
  ]
  await ingest('mca-directors', file('without-countries.csv', delta.join('\n')), { mode: 'delta' })
  expect(await places()).toEqual([
    { ...usa, status: 'Deactivated' },
    { ...singapore, status: 'Deactivated' },
    expect.objectContaining({ status: 'Deactivated', district: 'North Goa', state: 'Goa', pincode: '403001' }),
  ])
})

test('a country that is no other one known leaves an address in India, however India is written', async () => {
  const pins = ['pincode,state,district,offices', '403001,GOA,NORTH GOA,9', '']
  await ingest('pincodes', file('pins-of-india.csv', pins.join('\n')), { mode: 'delta' })
  const [indian, abroad] = [
    [
      'INDIA (IN)',
      'INIDA',
      'India-403001',
      'Hindustan',
      'भारत',
      '91',
      '0',
      'Not Available',
      'N.A.',
      'Goa',
      'MH',
      'The Republic of India',
    ],
    [
      'Indonesia',
      'UNITED STATES',
      'usa',
      'U.A.E.',
      'Hong Kong',
      'sg',
      "Cote d'Ivoire",
      'Côte d’Ivoire',
      'Saint Lucia',
      'England',
    ],
  ]
  const lines = [...indian, ...abroad].map((country, index) => `${920 + index},A,Approved,Panaji,GA,${country},403001`)
  const people = ['DIN,FullName,DINStatus,City,State,Country,Pincode', ...lines, '']
  const run = await ingest('mca-directors', file('indian-countries.csv', people.join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ status: 'succeeded', inserted: 22 })
  const places = await database.db.query<{ country: string; state: string; district: string | null }>(
    `SELECT country, state, district FROM registry.director WHERE din BETWEEN '00000920' AND '00000950' ORDER BY din`,
  )
  const here = { state: 'Goa', district: 'North Goa' }
  expect(places.map(({ state, district }) => ({ state, district }))).toEqual([
    ...indian.map(() => here),
    ...abroad.map(() => ({ state: 'GA', district: null })),
  ])
})
