/** Who directs which company, since when, until when. */
import type { Source } from './source.ts'

export const mcaDirectorships: Source = {
  name: 'mca-directorships',
  entity: 'directorship',
  table: 'registry.directorship',
  key: 'id',
  impliesInserts: true,
  defaultMode: 'snapshot',
  generations: [
    {
      name: 'signatory details',
      columns: {
        company: [
          'CIN',
          'CIN/LLPIN',
          'LLPIN',
          'CIN/FCRN',
          'CIN/FCRN/LLPIN',
          'Company CIN',
          'CORPORATE_IDENTIFICATION_NUMBER',
        ],
        director: ['DIN', 'DPIN', 'DIN/DPIN', 'DIN/PAN', 'Director DIN'],
        designation: ['Designation'],
        appointedOn: [
          'DateOfAppointment',
          'AppointmentDate',
          'Date_Of_Appointment',
          'BeginDate',
          'AppointedOn',
          'OriginalDateOfAppointment',
        ],
        ceasedOn: ['DateOfCessation', 'CessationDate', 'Date_Of_Cessation', 'EndDate', 'CeasedOn'],
      },
      required: ['company', 'director', 'designation'],
    },
  ],
  columns: {
    id: {
      kind: 'joined',
      columns: ['cin', 'din', 'designation', 'appointed_on'],
      separator: '|',
      named: ['cin', 'din'],
    },
    cin: { kind: 'company-id', from: 'company' },
    din: { kind: 'din', from: 'director' },
    designation: { kind: 'text', from: 'designation', fallback: 'Director' },
    appointed_on: { kind: 'date', from: 'appointedOn' },
    ceased_on: { kind: 'date', from: 'ceasedOn' },
  },
  bounds: { rowsMin: 1, rowsMax: 40_000_000, closedShareMax: 0.05, rejectedShareMax: 0.2 },
}
