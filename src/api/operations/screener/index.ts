import type { Operation } from '../../operation.ts'
import countFacets from './count-facets.ts'
import explain from './explain.ts'
import listFields from './list-fields.ts'
import readPhrase from './read-phrase.ts'
import readTerms from './read-terms.ts'
import search from './search.ts'

export const screener: readonly Operation[] = [search, countFacets, listFields, explain, readPhrase, readTerms]
