import { z } from 'zod'
import { readPhrase } from '../../../registry/phrases/read-phrase.ts'
import { vocabulariesFor } from '../../../registry/phrases/vocabularies.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { Type } from './screener-schemas.ts'

const place = {
  text: z.string().describe('As typed'),
  from: z.number().describe('Where it starts in the phrase, in UTF-16 units from 0'),
  to: z.number().describe('Where it ends'),
}

export default operation({
  id: 'readPhrase',
  method: 'POST',
  path: '/api/screener/phrase',
  summary: 'Turn a plain phrase into a query',
  description:
    'By fixed rules over the words that the registers know: states, districts, classes, statuses, industries, days, amounts, channels. ' +
    '`parts` say which words became which condition; `unread` are words that were not understood and are in no condition. ' +
    'Nothing is searched: run the `query` with POST /api/screener. Conditions such as `IN this month` stay relative in a saved query.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  errors: ['UNPROCESSABLE'],
  body: z
    .strictObject({
      // Kept as sent, including spaces around it, since the parts are reported by their offsets.
      phrase: plainText(300)
        .refine((value) => value.trim() !== '', 'must not be empty')
        .describe('Plain words; case and punctuation do not matter'),
      type: Type.optional().describe('Register to use where the phrase does not say; `company` by default'),
    })
    .meta({ examples: [{ phrase: 'private companies in Goa registered this month with a mobile' }] }),
  reply: {
    200: z.object({
      type: Type,
      query: z.string().describe('Empty where nothing was understood'),
      parts: z.array(z.object({ ...place, condition: z.string() }).meta({ id: 'PhrasePart' })),
      unread: z.array(z.object(place).meta({ id: 'UnreadPart' })),
    }),
  },
  example: {
    type: 'company',
    query: "classOfCompany == 'Private' AND State == 'Goa' AND dateOfIncorporation IN this month AND has_mobile",
    parts: [
      { text: 'private', from: 0, to: 7, condition: "classOfCompany == 'Private'" },
      { text: 'Goa', from: 21, to: 24, condition: "State == 'Goa'" },
      { text: 'registered this month', from: 25, to: 46, condition: 'dateOfIncorporation IN this month' },
      { text: 'mobile', from: 54, to: 60, condition: 'has_mobile' },
    ],
    unread: [],
  },
  handle: async ({ registers }, request) => {
    const { phrase, type } = request.body
    return readPhrase(phrase, await vocabulariesFor(registers, phrase), type)
  },
})
