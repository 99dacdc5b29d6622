/** How people and programs sign in: what wrong keys cost, and for how long tokens, sessions and links are good. Data, not code. */

export const loginThrottle = {
  /** Wrong keys per address (IPv6: per /64) or key prefix within the window, before further wrong ones are a 429. */
  failuresMax: 10,
  windowMinutes: 15,
  /** Wrong keys per address within 24 hours, before it is noted as blocked and wrong keys of it are a 403. */
  failuresPerDayMax: 100,
} as const

/** Minutes since the login within which a session may do what cannot be taken back, such as erasing the account. */
export const freshLoginMinutes = 5

export const accessTokenSeconds = 3600

export const refreshTokenDays = 30

/** From signing in with a browser, of operators and accounts alike; then the credential is asked for again. */
export const browserSessionHours = 12

/** That an operator may look at an account as it sees itself, before asking anew. */
export const accountViewMinutes = 30

/** Without any call of its pages; then the credential is asked for again. */
export const browserRestMinutes = 60

/** That the code of a printed link is good for, once. */
export const consoleCodeMinutes = 15

/** Of people into an account. */
export const invitations = {
  /** That the link of an invitation is good for, once; its column in the database is bound to no more. */
  days: 7,
  /** E-mails that one account sends within 24 hours. */
  perDayMax: 50,
} as const

/** That a link which an operator hands out to somebody is good for, once. */
export const handedOutMinutes = 60

/** From the way back from the OIDC provider until the button is pressed. */
export const oidcCodeMinutes = 5

/** Accounts that one identity of the provider is offered. */
export const oidcAccountsMax = 20

/** Links that sign a person in with a browser, sent by e-mail. What is asked for beyond these is not sent, and nobody is told. */
export const signInLinks = {
  /** From the sending of the e-mail. */
  minutes: 15,
  windowMinutes: 15,
  /** Asked for by one address (IPv6: by one /64) within the window. */
  perAddressMax: 10,
  /** About one e-mail address within the window. */
  perEmailMax: 3,
} as const
