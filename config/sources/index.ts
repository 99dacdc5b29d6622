/** The explicit list of sources. */
import { contacts } from './contacts.ts'
import { gstTaxpayers } from './gst-taxpayers.ts'
import { hsnSac } from './hsn-sac.ts'
import { mcaCompanies } from './mca-companies.ts'
import { mcaDirectors } from './mca-directors.ts'
import { mcaDirectorships } from './mca-directorships.ts'
import { nic } from './nic.ts'
import { pincodes } from './pincodes.ts'
import { preferences } from './preferences.ts'
import type { Source } from './source.ts'

export const sources: readonly Source[] = [
  mcaCompanies,
  gstTaxpayers,
  mcaDirectors,
  mcaDirectorships,
  contacts,
  preferences,
  hsnSac,
  pincodes,
  nic,
]
