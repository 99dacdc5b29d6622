import type { Operation } from '../../operation.ts'
import get from './get.ts'
import listWays from './list-ways.ts'
import mailLink from './mail-link.ts'
import signIn from './sign-in.ts'
import signOut from './sign-out.ts'

export const appSessions: readonly Operation[] = [listWays, mailLink, signIn, get, signOut]
