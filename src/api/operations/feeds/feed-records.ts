/** Records of the feeds, in the casing of the specification. null: the register has no value. */

import { z } from 'zod'
import { membersOf } from '../../record-schemas.ts'

export const CompanyRecord = z.object(membersOf('company', 'feed')).meta({ id: 'FeedCompany' })

export const DirectorRecord = z.object(membersOf('director', 'feed')).meta({ id: 'FeedDirector' })

export const GstRecord = z.object(membersOf('gst', 'feed')).meta({ id: 'FeedGst' })
