/**
 * What a header covers of a target column. One that it does not cover (`absent`) is never changed by a merge; one that is
 * only inferred (`fill`) never overwrites what a fuller snapshot gave. Of a column that is put together from several, some
 * of which the header lacks (`part`), its rule says when a row tells nothing new: what the record holds is kept then. Of one that
 * other columns may tell as well, none of which the header has (`value`), a value is news, and an empty cell is none.
 */
export type Coverage = 'covered' | 'part' | 'value' | 'fill' | 'absent'

export const coveredIf = (isThere: boolean): Coverage => (isThere ? 'covered' : 'absent')

/** Whether the header says something of the column itself. */
export const isCovered = (coverage: Coverage | undefined): boolean =>
  coverage === 'covered' || coverage === 'part' || coverage === 'value'

/** For what an identifier says where the source does not. */
export const elseInferred = (isThere: boolean): Coverage => (isThere ? 'covered' : 'fill')

/** For what several fields say together. */
export const coveredByAll = (areThere: readonly boolean[]): Coverage =>
  areThere.every(Boolean) ? 'covered' : areThere.some(Boolean) ? 'part' : 'absent'
