import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { filterDirectors } from '../../../registry/filters.ts'
import { dinFrom } from '../../../registry/identifier-input.ts'
import { readMeaning } from '../../../registry/words/requested-word.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { calendarDay, paging, pinCodeAsked, stateAsked, textFilter } from '../../parameters.ts'
import { membersOf } from '../../record-schemas.ts'
import example from './directors.example.json' with { type: 'json' }
import { answerOf, anyCasing, filterFacts, reachAsked, reachNames, reachParameters, yesOrNo } from './filter-schemas.ts'

const day = (description: string, example: string) =>
  calendarDay.optional().meta({ description: `${description}, YYYY-MM-DD`, examples: [example] })
const DirectorHit = z.object(membersOf('director', 'hit')).meta({ id: 'DirectorHit' })

export default operation({
  id: 'searchDirectors',
  ...filterFacts,
  path: '/api/company/director-filter',
  summary: 'Find directors by their attributes',
  description:
    `All parameters are optional; a record must match all of them. ${anyCasing} Name parts match by prefix. ` +
    'A range of dates of birth covers whole calendar years.',
  otherNames: reachNames,
  query: z.object({
    din: textFilter('DIN').meta({ examples: [exampleRecords.din] }),
    firstName: textFilter('First name').meta({ examples: ['Naveen'] }),
    middleName: textFilter('Middle name').meta({ examples: ['Kumar'] }),
    lastName: textFilter('Last name').meta({ examples: ['Patil'] }),
    directorDisqualified: yesOrNo('Disqualified under section 164(2)'),
    gender: textFilter('Gender, in any spelling: Male, M').meta({ examples: ['Male'] }),
    residentOfIndia: yesOrNo('Resident of India'),
    citizenOfIndia: yesOrNo('Citizen of India'),
    nationality: textFilter('Nationality').meta({ examples: ['Indian'] }),
    dateOfBirthFrom: day('Earliest date of birth; its year counts', '1950-01-01'),
    dateOfBirthTo: day('Latest date of birth; its year counts, to 31 December', '2000-12-31'),
    state: textFilter('State, in any common spelling').meta({ examples: ['Goa'] }),
    district: textFilter('District').meta({ examples: ['North Goa'] }),
    country: textFilter('Country').meta({ examples: ['India'] }),
    ...reachParameters,
    postalCode: textFilter('PIN, six digits').meta({ examples: ['403001'] }),
    ...paging(100),
  }),
  reply: {
    200: z.object({
      results: z.array(DirectorHit),
      total_results: z.number(),
      page: z.number(),
      limit: z.number(),
    }),
  },
  example,
  handle: async ({ db, expensiveReads }, request) => {
    const { query } = request
    const { din, dateOfBirthFrom: bornFrom, dateOfBirthTo: bornTo, directorDisqualified, ...rest } = query
    refuseReversed(bornFrom, bornTo)
    const { gender, postalCode } = rest
    const sex = { entity: 'director', column: 'gender', parameter: 'gender' } as const
    const filter = {
      ...rest,
      genders: gender === undefined ? undefined : await readMeaning(db, { ...sex, text: gender }),
      postalCode: postalCode === undefined ? undefined : pinCodeAsked('postalCode', postalCode),
      din: din === undefined ? undefined : dinFrom(din),
      disqualified: answerOf(directorDisqualified),
      residentOfIndia: answerOf(rest.residentOfIndia),
      citizenOfIndia: answerOf(rest.citizenOfIndia),
      bornFrom,
      bornTo,
      state: stateAsked('state', rest.state),
      ...(await reachAsked(db, request, query)),
    }
    const { results, total } = await expensiveReads.run(request, (db) => filterDirectors(db, filter))
    return { results, total_results: total, page: query.page, limit: query.limit }
  },
})

function refuseReversed(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw new AppError('UNPROCESSABLE', `dateOfBirthFrom ${from} is after dateOfBirthTo ${to}.`)
  }
}
