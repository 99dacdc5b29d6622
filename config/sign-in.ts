/**
 * How people and programs sign in: limits on wrong keys, and how long tokens, sessions and links are valid. Data, not
 * code.
 */

export const loginThrottle = {
  /** Wrong keys per address (IPv6: per /64) or key prefix within the window, before further wrong ones get a 429. */
  failuresMax: 10,
  windowMinutes: 15,
  /** Wrong keys per address within 24 hours, before it is recorded as blocked and further wrong ones get a 403. */
  failuresPerDayMax: 100,
} as const

/** Minutes since the login within which a session may do what cannot be undone, such as erasing the account. */
export const freshLoginMinutes = 5

/**
 * Hours for which an account that is older must have had the key or person of such a login: with a stolen session, another
 * key could be made or another person invited.
 */
export const knownCredentialHours = 24

export const accessTokenSeconds = 3600

export const refreshTokenDays = 30

/** Hours after a browser sign-in, for operators and accounts alike, until the credential is required again. */
export const browserSessionHours = 12

/** How long an operator may view an account as its owner does before requesting it again. */
export const accountViewMinutes = 30

/** Minutes without any request of its pages until the credential is required again. */
export const browserRestMinutes = 60

/** Validity of the code of a printed link, which works once. */
export const consoleCodeMinutes = 15

/** Invitations of people into an account. */
export const invitations = {
  /** Validity of an invitation link, which works once; the database column allows no more. */
  days: 7,
  /** E-mails that one account may send within 24 hours. */
  perDayMax: 50,
} as const

/** Validity of a link that an operator hands out, which works once. */
export const handedOutMinutes = 60

/** From the return from the OIDC provider until the button is pressed. */
export const oidcCodeMinutes = 5

/** Accounts offered to one identity of the provider. */
export const oidcAccountsMax = 20

/** E-mailed links that sign a person in with a browser. Requests beyond these limits are silently not sent. */
export const signInLinks = {
  /** From the sending of the e-mail. */
  minutes: 15,
  windowMinutes: 15,
  /** Requests from one address (IPv6: one /64) within the window. */
  perAddressMax: 10,
  /** Requests for one e-mail address within the window. */
  perEmailMax: 3,
} as const
