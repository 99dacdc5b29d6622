/**
 * The token that goes with the session cookie. It exists only in this page's memory, and a reload requests it again.
 * Signing in again ends the previous session, so reads already under way are refused: that means the end of their
 * session, not of the new one.
 */
let token = ''
let renewal: Promise<unknown> = Promise.resolve()
let whenOver: () => void = () => {}
let hasEnded = false
let isEnding = false

export const csrfToken = (): string => token

/** Whether this page's session ended without a sign-out. */
export const hasSessionEnded = (): boolean => hasEnded

export function keepCsrfToken(given: string): void {
  token = given
  hasEnded = false
}

/** @param act called when the server no longer knows the session. */
export function onSessionOver(act: () => void): void {
  whenOver = act
}

/** Until it is answered, a refusal may belong to the previous session. */
export function renewSession<Session>(signIn: Promise<Session>): Promise<Session> {
  renewal = signIn.catch(() => undefined)
  return signIn
}

/** A call sent during a sign-in could carry the cookie of one session and the token of the other. */
export const sessionRenewed = (): Promise<unknown> => renewal

/** @param sent the token of a call. @returns whether a session has started since then. */
export async function isOfFormerSession(sent: string | null): Promise<boolean> {
  await renewal
  return token !== '' && token !== sent
}

/**
 * An action that ends the session together with its account: refused reads are expected then, and the sign-in page must
 * not open.
 */
export async function endSessionBy<Result>(act: () => Promise<Result>): Promise<Result> {
  isEnding = true
  try {
    const result = await act()
    token = ''
    return result
  } finally {
    isEnding = false
  }
}

/**
 * The server has refused a call for its session.
 * @param sent the token of the call.
 * @returns whether a session has started since then, in which the call may be repeated; otherwise the session is over.
 */
export async function hasNewSession(sent: string | null): Promise<boolean> {
  if (await isOfFormerSession(sent)) return true
  // After a sign-out there is none.
  if (token === '' || isEnding) return false
  hasEnded = true
  token = ''
  whenOver()
  return false
}
