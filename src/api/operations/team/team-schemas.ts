import { z } from 'zod'
import type { Person as PersonRecord } from '../../../access/people.ts'
import { personState } from '../../../access/people.ts'
import { accountRoles } from '../../../domain/account-role.ts'
import { exampleIds } from '../../example-records.ts'
import { email, timestamp, uuid } from '../../formats.ts'
import { addressText, wording } from '../../parameters.ts'

export const Role = z
  .enum(accountRoles)
  .describe(
    'A viewer reads; a buyer also orders, delivers and manages lists; an admin also manages keys, money, destinations and people',
  )

export const Person = z
  .object({
    person_id: uuid('ID of the person'),
    email: email('E-mail address of the person'),
    name: z.string(),
    role: Role,
    state: z.enum(['invited', 'active']).describe('invited: the invitation has not been accepted yet'),
    invited_by: z
      .string()
      .nullable()
      .describe('Name of the person who sent the invitation; null where an operator or a program with an API key did'),
    invited_at: timestamp(),
    invitation_ends_at: timestamp('after which the invitation link no longer works').nullable(),
    joined_at: timestamp().nullable(),
    second_factor: z.boolean().describe('Asked for at each sign-in'),
    last_used_at: timestamp('of the last sign-in').nullable(),
  })
  .meta({ id: 'Person' })

export const stateOf = (person: PersonRecord): z.output<typeof Person> => personState(person)

export const InvitationBody = z
  .strictObject({
    email: addressText('Where the invitation goes'),
    name: wording(100).optional().describe('Display name; defaults to the part of the address before the @'),
    role: Role,
  })
  .meta({ examples: [{ email: 'ravi@example.com', name: 'Ravi', role: 'buyer' }] })

export const PersonPath = z.object({
  person_id: uuid('ID of a person of the account').meta({ examples: [exampleIds.person] }),
})

export const examplePerson = {
  person_id: exampleIds.person,
  email: 'ravi@example.com',
  name: 'Ravi',
  role: 'buyer',
  state: 'active',
  invited_by: 'Asha Naik',
  invited_at: '2026-11-20T05:00:00.000Z',
  invitation_ends_at: null,
  joined_at: '2026-11-20T06:12:00.000Z',
  second_factor: true,
  last_used_at: '2026-11-24T04:40:50.903Z',
} as const

export const exampleInvited = {
  ...examplePerson,
  state: 'invited',
  joined_at: null,
  second_factor: false,
  last_used_at: null,
  invitation_ends_at: '2026-11-27T05:00:00.000Z',
} as const
