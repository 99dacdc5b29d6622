import { z } from 'zod'
import { addSuppressions } from '../../../access/suppressions.ts'
import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import exampleAnswer from './add.example.json' with { type: 'json' }
import { Entry, objectionsOf, Values } from './suppression-schemas.ts'

const example = { email: ['asha@example.in'], mobile: ['98123 45678'], reason: 'asked by letter', reference: 'OBJ-17' }

export default operation({
  id: 'addSuppressions',
  method: 'POST',
  path: '/admin/suppressions',
  tag: 'Operations',
  summary: 'Withhold the contacts of people who object',
  description:
    'E-mail addresses and mobile numbers are null from the next answer on, and count as unreachable; a director is as ' +
    'unknown as one that never was, and so is who trades under the own name: of both the leads are erased, of the latter the ' +
    'registrations, too. What had reached a CRM is recalled. A value that is on the list already stays as it is.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'CONFLICT'],
  body: z
    .strictObject({
      ...Values,
      reason: z.string().max(500).optional().describe('For the operator; holds no personal data'),
      reference: z.string().max(200).optional().describe("The operator's own: a ticket, a letter"),
    })
    .meta({ examples: [example] }),
  reply: {
    201: z.object({
      added: z.number().describe('Entries that were not on the list before'),
      data: z.array(Entry).describe('All entries that were asked for'),
    }),
  },
  example: exampleAnswer,
  handle:
    ({ db, queue }) =>
    async (request) => {
      const { reason, reference } = request.body
      const asked = { objections: objectionsOf(request.body), reason, reference, actor: operatorOf(request) }
      const { added, entries } = await db.transaction((tx) => addSuppressions(tx, queue, asked))
      return { added, data: [...entries] }
    },
})
