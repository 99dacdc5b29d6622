import type { Operation } from '../../operation.ts'
import handOutLink from './hand-out-link.ts'
import invite from './invite.ts'
import list from './list.ts'

export const accountPeople: readonly Operation[] = [list, invite, handOutLink]
