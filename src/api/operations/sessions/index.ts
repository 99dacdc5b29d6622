import type { Operation } from '../../operation.ts'
import end from './end.ts'
import list from './list.ts'
import logIn from './log-in.ts'
import logOut from './log-out.ts'
import refresh from './refresh.ts'
import validate from './validate.ts'

export const sessions: readonly Operation[] = [logIn, refresh, validate, logOut, list, end]
