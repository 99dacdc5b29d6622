/** The filters on the changes of a run, shared by a page of them and their file. */
import { z } from 'zod'
import { registerSpellings } from '../../../domain/entity-identifier.ts'
import { type ChangeFilters, changeKinds } from '../../../ingest/conduct/read-changes.ts'
import { exampleRecords } from '../../example-records.ts'
import { textFilter } from '../../parameters.ts'

export const changeFilters = {
  identifier: textFilter('A whole CIN, LLPIN, DIN or GSTIN').meta({ examples: [exampleRecords.cin] }),
  kind: z.enum(changeKinds).optional().describe('Only changes of this kind'),
}

type Chosen = Pick<ChangeFilters, 'identifiers' | 'kind'>

export const changesChosen = ({
  identifier,
  kind,
}: { readonly identifier?: string | undefined } & Pick<Chosen, 'kind'>): Chosen => ({
  kind,
  ...(identifier && { identifiers: registerSpellings(identifier) }),
})
