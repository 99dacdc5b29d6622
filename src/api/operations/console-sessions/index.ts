import type { Operation } from '../../operation.ts'
import end from './end.ts'
import get from './get.ts'
import list from './list.ts'
import signIn from './sign-in.ts'
import signOut from './sign-out.ts'

export const consoleSessions: readonly Operation[] = [get, signOut, list, end, signIn]
