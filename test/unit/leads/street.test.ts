import { expect, test } from 'vitest'
import { streetOf } from '../../../src/leads/street.ts'

const goa = { towns: ['Bardez', 'North Goa'], state: 'Goa', pincode: '403521' }

test.each([
  ['SHOP NO.5 WING A, SANGOLDA,BARDEZ,North Goa,Goa,403521-India', 'SHOP NO.5 WING A, SANGOLDA'],
  ['HOUSE NO 618 FATORDA MARGAO,GOA,Goa,403521-India', 'HOUSE NO 618 FATORDA MARGAO'],
  ['House No 177,NA,Goa,000000-India', 'House No 177'],
  ['H 1,Road ,Bardez - 403 521,Goa,NA-India', 'H 1, Road'],
  ['12,Goa Road,Mapusa,Goa,403521-India', '12, Goa Road, Mapusa'],
  ['PATTO PLAZA, PANJIM-GOA.,Goa,000000-India', 'PATTO PLAZA, PANJIM-GOA.'],
  ['H. NO. 564/BGF "A WING",GOA.,Goa,403521-India', 'H. NO. 564/BGF "A WING"'],
  ['12, PIN: 403521', '12'],
  ['12, PIN 403002', '12, PIN 403002'],
  ['१२, Mapusa, Goa, ४०३५२१', '१२, Mapusa'],
  ['8, CHAMBERS,   BARDEZ,GOA,Goa,403521-India', '8, CHAMBERS'],
  ['BAGA BEACH   BARDEZ,GOA,Goa,403521-India', 'BAGA BEACH'],
  ['S-19, SECOND FLOOR   APNA  BAZAR,Bardez,North Goa,Goa,403521-India', 'S-19, SECOND FLOOR, APNA BAZAR'],
  ['BORKAR ROAD, BARDEZ GOA,Goa,403521-India', 'BORKAR ROAD'],
  ['BORKAR ROAD, BARDEZ NORTH GOA INDIA', 'BORKAR ROAD'],
  ['.OKSHA VILLA -,NA,Goa,403521-India', 'OKSHA VILLA'],
  ['NEW GOA HOUSE ROAD,Goa', 'NEW GOA HOUSE ROAD'],
  ['Goa', null],
  ['Bardez,Goa,403521-India', 'Bardez'],
  ['North Goa', 'North Goa'],
  ['', null],
  [null, null],
])('of %j the street is %j', (address, street) => {
  expect(streetOf(address, goa)).toBe(street)
})

test('a state is known by its other spellings too, and what no column says stays', () => {
  const place = { towns: ['Cuttack'], state: 'Odisha', pincode: '753001' }
  expect(streetOf('4 Link Road,Cuttack,Orissa,753001-India', place)).toBe('4 Link Road')
  expect(streetOf('4 Link Road,Puri,Bihar,753002-India', place)).toBe('4 Link Road, Puri, Bihar, 753002-India')
})
