import { z } from 'zod'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'

export const params = z.object({ id: uuid('ID of the subscription').meta({ examples: [exampleIds.order] }) })
