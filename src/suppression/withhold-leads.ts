/**
 * Frozen leads as they may leave today: a lead is built once and stays as it was bought, while the suppression list grows.
 * Contacts that somebody objected to are null, directors are gone from their companies, and the lead of a director who
 * objected is not there at all.
 */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import type { SuppressionKind } from '../domain/objection.ts'
import { markOf, type Personal, suppressedAmong } from './suppressed-among.ts'

type Fields = Readonly<Record<string, unknown>>

interface Withholdable {
  readonly type: EntityType
  readonly row: LeadRow
  readonly fullData?: {
    readonly company?: Fields | null
    readonly directors?: readonly Fields[]
  }
}

/** Columns of a flat row that reach or name somebody. */
const personalColumns: Readonly<Record<string, SuppressionKind>> = { Email: 'email', Mobile: 'mobile', Phone: 'mobile' }

type IsHeld = (kind: SuppressionKind, value: unknown) => boolean

export async function withholdFromLeads<L extends Withholdable>(db: Queryable, leads: readonly L[]): Promise<L[]> {
  const held = await suppressedAmong(db, leads.flatMap(personalOf))
  if (held.size === 0) return [...leads]
  const isHeld: IsHeld = (kind, value) => typeof value === 'string' && held.has(markOf(kind, value))
  return leads
    .filter(({ type, row }) => type !== 'director' || !isHeld('din', row['DIN']))
    .map((lead) => ({
      ...lead,
      row: shownRow(lead.row, isHeld),
      ...(lead.fullData ? { fullData: shownRecord(lead.fullData, isHeld) } : {}),
    }))
}

const splitList = (cell: LeadRow[string] | undefined): string[] => (typeof cell === 'string' ? cell.split(';') : [])

function personalOf({ row, fullData }: Withholdable): Personal[] {
  const given: (readonly [SuppressionKind, unknown])[] = [
    ...Object.entries(personalColumns).map(([column, kind]) => [kind, row[column]] as const),
    ['din', row['DIN']],
    ...splitList(row['DirectorDINs']).map((din) => ['din', din] as const),
    ['email', fullData?.company?.['email']],
    ...(fullData?.directors ?? []).map(({ DIN }) => ['din', DIN] as const),
  ]
  return given.flatMap(([kind, value]) => (typeof value === 'string' && value !== '' ? [{ kind, value }] : []))
}

/** The lists of directors have an element each for every place. */
function shownRow(row: LeadRow, isHeld: IsHeld): LeadRow {
  const cells: Record<string, string | number | null> = { ...row }
  for (const [column, kind] of Object.entries(personalColumns)) if (isHeld(kind, row[column])) cells[column] = null
  const dins = splitList(row['DirectorDINs'])
  const shown = dins.map((din) => !isHeld('din', din))
  if (shown.every(Boolean)) return cells
  const listOf = (elements: readonly string[]) => {
    const kept = elements.filter((_, index) => shown[index])
    return kept.length === 0 ? null : kept.join(';')
  }
  cells['DirectorDINs'] = listOf(dins)
  cells['DirectorNames'] = listOf(splitList(row['DirectorNames']))
  cells['DirectorCount'] = shown.filter(Boolean).length
  return cells
}

function shownRecord<F extends NonNullable<Withholdable['fullData']>>(fullData: F, isHeld: IsHeld): F {
  const { company, directors } = fullData
  return {
    ...fullData,
    company: company && isHeld('email', company['email']) ? { ...company, email: null } : company,
    directors: (directors ?? []).filter(({ DIN }) => !isHeld('din', DIN)),
  }
}
