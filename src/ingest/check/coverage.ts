/**
 * What a header provides of a target column:
 * - `absent`: nothing; a merge never changes the column.
 * - `fill`: the value is only inferred, and never overwrites one from a more complete snapshot.
 * - `removed`: nothing, but other columns show when a record's value no longer holds; its rule decides when a row keeps it.
 * - `part`: the column is composed of several, some of which the header lacks; its rule decides when a row adds
 *   nothing, so that the record's value is kept.
 * - `value`: other columns could provide it too, but the header has none of them; a value is used, and an empty cell is
 *   ignored.
 */
export type Coverage = 'covered' | 'part' | 'value' | 'fill' | 'removed' | 'absent'

export const coveredIf = (isThere: boolean): Coverage => (isThere ? 'covered' : 'absent')

/** Whether the header provides the column itself. */
export const isCovered = (coverage: Coverage | undefined): boolean =>
  coverage === 'covered' || coverage === 'part' || coverage === 'value'

/** For values that an identifier implies if the source has none. */
export const elseInferred = (isThere: boolean): Coverage => (isThere ? 'covered' : 'fill')

/** For values composed of several fields. */
export const coveredByAll = (areThere: readonly boolean[]): Coverage =>
  areThere.every(Boolean) ? 'covered' : areThere.some(Boolean) ? 'part' : 'absent'
