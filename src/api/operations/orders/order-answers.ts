import { z } from 'zod'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'

export const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })
