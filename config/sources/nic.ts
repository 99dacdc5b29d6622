/**
 * The National Industrial Classification. The same digits have different meanings in 2004 and 2008, so the vintage is
 * kept.
 */
import type { Source } from './source.ts'

export const nic: Source = {
  name: 'nic',
  entity: 'nic',
  table: 'reference.nic',
  key: 'id',
  defaultMode: 'snapshot',
  generations: [
    {
      name: 'NIC list',
      columns: {
        code: ['code'],
        level: ['level'],
        section: ['section'],
        division: ['division'],
        description: ['description'],
        vintage: ['vintage', 'year'],
      },
      required: ['code', 'level', 'section', 'division', 'description'],
    },
  ],
  columns: {
    id: { kind: 'joined', columns: ['vintage', 'code'], separator: ':', named: ['code'] },
    vintage: { kind: 'integer', from: 'vintage', max: 2100, fallback: 2008, oneOf: [2004, 2008] },
    code: { kind: 'text', from: 'code', required: true },
    level: { kind: 'text', from: 'level', required: true, letterCase: 'lower' },
    section: { kind: 'text', from: 'section' },
    division: { kind: 'integer', from: 'division', max: 99 },
    description: { kind: 'text', from: 'description', required: true },
  },
  scope: 'vintage',
  bounds: { rowsMin: 1, rowsMax: 20_000, closedShareMax: 0.2, rejectedShareMax: 0.05 },
}
