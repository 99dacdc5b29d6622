/** The PIN directory of India Post: one row per PIN, district and state with its number of post offices. */
import type { Source } from './source.ts'

export const pincodes: Source = {
  name: 'pincodes',
  entity: 'pincode',
  table: 'reference.pincode',
  key: 'id',
  defaultMode: 'snapshot',
  generations: [
    {
      name: 'PIN directory',
      columns: {
        pincode: ['pincode', 'PIN'],
        state: ['state', 'StateName'],
        district: ['district', 'DistrictName'],
        offices: ['offices'],
      },
      required: ['pincode', 'state', 'district', 'offices'],
    },
  ],
  columns: {
    id: { kind: 'joined', columns: ['pincode', 'district', 'state'], separator: '|', named: ['pincode'] },
    pincode: { kind: 'pincode', from: 'pincode' },
    district: { kind: 'text', from: 'district', letterCase: 'title', fallback: '' },
    state: { kind: 'place', part: 'state' },
    offices: { kind: 'integer', from: 'offices', max: 100_000, required: true },
  },
  place: { state: 'state' },
  bounds: { rowsMin: 1, rowsMax: 200_000, closedShareMax: 0.05, rejectedShareMax: 0.05 },
}
