import { z } from 'zod'
import { addSuppressions } from '../../../access/suppressions.ts'
import { operation } from '../../operation.ts'
import exampleAnswer from './add.example.json' with { type: 'json' }
import { Entry, objectionsOf, Values } from './suppression-schemas.ts'

const example = { email: ['asha@example.in'], mobile: ['98123 45678'], reason: 'asked by letter', reference: 'OBJ-17' }

export default operation({
  id: 'addSuppressions',
  method: 'POST',
  path: '/admin/suppressions',
  summary: 'Add people who object to the suppression list',
  description:
    'E-mail addresses and mobile numbers are null from the next answer on, and count as unreachable. A director looks as if ' +
    'never registered, and so does a sole proprietor trading under their own name: the leads of both are erased, and the registrations of ' +
    'the latter as well. What had reached a CRM is recalled. A value that is already on the list is unchanged.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'CONFLICT'],
  body: z
    .strictObject({
      ...Values,
      reason: z.string().max(500).optional().describe('Note for operators; must not contain personal data'),
      reference: z.string().max(200).optional().describe('Your own reference: a ticket, a letter'),
    })
    .meta({ examples: [example] }),
  reply: {
    201: z.object({
      added: z.number().describe('Entries that were new to the list'),
      data: z.array(Entry).describe('All entries of the request'),
    }),
  },
  example: exampleAnswer,
  handle: async ({ db, queue }, request, actor) => {
    const { reason, reference } = request.body
    const input = { objections: objectionsOf(request.body), reason, reference, actor }
    const { added, entries } = await db.transaction((tx) => addSuppressions(tx, queue, input))
    return { added, data: entries }
  },
})
