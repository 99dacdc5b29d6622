/**
 * What a header covers of a target column. One that it does not cover is never nulled by a merge; one that is only
 * inferred (`fill`) never overwrites what a fuller snapshot gave.
 */
export type Coverage = 'covered' | 'fill' | 'absent'

export const coveredIf = (isThere: boolean): Coverage => (isThere ? 'covered' : 'absent')

/** For what an identifier says where the source does not. */
export const elseInferred = (isThere: boolean): Coverage => (isThere ? 'covered' : 'fill')
