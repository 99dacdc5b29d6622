/** Limits on credentials, and on calls without any. */
import { anonymousBounds } from '../../../config/http-bounds.ts'
import { invitations, loginThrottle, signInLinks } from '../../../config/sign-in.ts'
import { httpFile, type Limits, signInFile, untilBucket } from './limit.ts'

export const credentialsLimits = {
  anonymousFailures: {
    what: 'Calls without valid credentials; those with valid ones never count',
    of: 'address',
    held: 'bucket',
    figures: () => `${anonymousBounds.failuresMax} at once, ${anonymousBounds.failuresPerSecond} a second`,
    answer: { code: 'RATE_LIMITED', retryAfter: untilBucket },
    setBy: httpFile,
  },
  wrongKeysInMemory: {
    what: 'Wrong API keys, and separately wrong operator tokens, before the database is queried',
    of: 'address',
    held: 'bucket',
    figures: () => `${loginThrottle.failuresMax} at once, again within ${loginThrottle.windowMinutes} min`,
    answer: { code: 'LOGIN_THROTTLED', retryAfter: untilBucket },
    setBy: signInFile,
  },
  unknownCredentials: {
    what: 'Unknown credentials that the database counts at the same time',
    of: 'process',
    held: 'gate',
    figures: () => `${anonymousBounds.runningMax}, ${anonymousBounds.waitingMax} waiting`,
    answer: { instead: 'refused as unknown, uncounted' },
    setBy: httpFile,
  },
  wrongKeys: {
    what: 'Wrong API keys, operator tokens and second-factor codes; the right one always works',
    of: 'address and key prefix; operator',
    held: 'counter',
    figures: () => `${loginThrottle.failuresMax} in ${loginThrottle.windowMinutes} min`,
    answer: { code: 'LOGIN_THROTTLED', retryAfter: 'until the window has moved on' },
    setBy: signInFile,
  },
  blockedAddress: {
    what: 'Wrong API keys in a day; an operator unblocks the address',
    of: 'address',
    held: 'counter',
    figures: () => `${loginThrottle.failuresPerDayMax} in 24 h`,
    answer: { code: 'ADDRESS_BLOCKED' },
    setBy: signInFile,
  },
  signInLinks: {
    what: 'Sign-in links by e-mail',
    of: 'address; e-mail address',
    held: 'counter',
    figures: () => `${signInLinks.perAddressMax}; ${signInLinks.perEmailMax} in ${signInLinks.windowMinutes} min`,
    answer: { instead: 'the same answer, and no e-mail' },
    setBy: signInFile,
  },
  invitations: {
    what: 'E-mails that invite people to an account',
    of: 'account',
    held: 'counter',
    figures: () => `${invitations.perDayMax} in 24 h`,
    answer: { code: 'RATE_LIMITED', retryAfter: 'until the first of them is a day old' },
    setBy: signInFile,
  },
} as const satisfies Limits
