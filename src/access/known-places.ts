/**
 * Checks that the districts and PIN codes of a territory exist: a grant for an unknown place would be a feed that stays
 * empty. Known are those of the PIN directory and of the registers; PIN codes are checked only once there is a
 * directory, and before the first ingest every name passes.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { nearest } from '../domain/nearest.ts'
import { placeKey } from '../domain/scope.ts'
import { quoted } from '../domain/visible.ts'
import { AppError } from '../errors.ts'

export interface NamedPlaces {
  /** In the registers' spelling. */
  readonly states: readonly string[]
  readonly districts: readonly string[]
  readonly pincodes: readonly string[]
}

/** Allowed edit distance; longer names differ by more letters in other spellings. */
const slipsMax = (name: string): number => Math.max(2, Math.floor(name.length / 4))

/** @throws AppError UNPROCESSABLE naming the place, with the nearest name where there is one. */
export async function requireKnownPlaces(db: Queryable, { states, districts, pincodes }: NamedPlaces): Promise<void> {
  const malformed = pincodes.find((pincode) => !/^[1-9]\d{5}$/.test(pincode))
  if (malformed !== undefined)
    throw new AppError('UNPROCESSABLE', `"${quoted(malformed)}" is no PIN code: six digits, the first above 0.`)
  if (pincodes.length > 0) await requirePincodes(db, pincodes)
  if (districts.length > 0) await requireDistricts(db, districts, states)
}

async function requirePincodes(db: Queryable, pincodes: readonly string[]): Promise<void> {
  const [missing] = await db.query<{ pincode: string }>(
    `SELECT asked.pincode FROM unnest($1::text[]) WITH ORDINALITY AS asked (pincode, place)
     WHERE EXISTS (SELECT FROM reference.pincode)
       AND NOT EXISTS (SELECT FROM reference.pincode p WHERE p.pincode = asked.pincode)
       AND NOT EXISTS (SELECT FROM feed.registration r WHERE r.pincode = asked.pincode) ORDER BY place LIMIT 1`,
    [pincodes],
  )
  if (missing) throw new AppError('UNPROCESSABLE', `No post office has the PIN code ${missing.pincode}.`)
}

/**
 * Several states may have a district of the same name, so a district is valid if any of its states is. The directory
 * has less than a thousand; a register is only read for a name that is not among them.
 */
async function requireDistricts(db: Queryable, districts: readonly string[], states: readonly string[]): Promise<void> {
  const rows = await db.query<{ district: string; state: string | null }>(
    'SELECT DISTINCT district, state FROM reference.pincode',
  )
  for (const district of districts) {
    const found = rows.filter((row) => placeKey(row.district) === placeKey(district))
    if (found.length === 0) {
      const [held] = await db.query('SELECT 1 FROM feed.registration WHERE lower(district) = $1 LIMIT 1', [
        placeKey(district),
      ])
      if (held) continue
      const known = [...rows.map((row) => row.district), ...(await districtsHeld(db))]
      if (known.length > 0) throw unknownDistrict(district, known)
      continue
    }
    const around = found.map((row) => row.state)
    if (states.length > 0 && !around.some((state) => state === null || states.includes(state)))
      throw new AppError('UNPROCESSABLE', `${district} is in ${around.join(', ')}, not in ${states.join(', ')}.`)
  }
}

/** Each name once; the place indexes are scanned from name to name, so that millions of records cost nothing. */
async function districtsHeld(db: Queryable): Promise<string[]> {
  const walks = ['registry.company', 'registry.gst_taxpayer', 'registry.director'].map(
    (register) => sql`(WITH RECURSIVE walk (key) AS (
       SELECT (SELECT min(lower(district)) FROM ${register})
       UNION ALL SELECT (SELECT min(lower(district)) FROM ${register} WHERE lower(district) > key) FROM walk WHERE key IS NOT NULL)
     SELECT (SELECT district FROM ${register} WHERE lower(district) = key LIMIT 1) AS district FROM walk WHERE key IS NOT NULL)`,
  )
  const rows = await db.query<{ district: string }>(walks.join(' UNION '))
  return rows.map(({ district }) => district)
}

function unknownDistrict(district: string, known: readonly string[]): AppError {
  const suggestion = nearest(district, [...new Set(known)], slipsMax(district)) ?? null
  const hint = suggestion === null ? '' : ` Write ${suggestion} instead.`
  return new AppError('UNPROCESSABLE', `No district is named "${quoted(district)}".${hint}`, { extra: { suggestion } })
}
