/**
 * The token that goes with the session's cookie. It lives in this page alone, and a reload asks for it again.
 *
 * Who signs in anew ends the session before, so reads that were under way are refused: that is the end of theirs, not of
 * the session that has begun.
 */
let token = ''
let renewal: Promise<unknown> = Promise.resolve()
let whenOver: () => void = () => {}
let hasEnded = false
let isEnding = false

export const csrfToken = (): string => token

/** Whether the session of this page ended without a sign-out. */
export const hasSessionEnded = (): boolean => hasEnded

export function keepCsrfToken(given: string): void {
  token = given
  hasEnded = false
}

/** @param act what happens when the server no longer knows the session. */
export function onSessionOver(act: () => void): void {
  whenOver = act
}

/** Until it has come back nobody can say whether a refusal is that of the session before. */
export function renewSession<Session>(signIn: Promise<Session>): Promise<Session> {
  renewal = signIn.catch(() => undefined)
  return signIn
}

/** A call that is sent while somebody signs in anew would go with the cookie of one session and the token of the other. */
export const sessionRenewed = (): Promise<unknown> => renewal

/** @param sent the token of a call. @returns whether a session has begun since then. */
export async function isOfFormerSession(sent: string | null): Promise<boolean> {
  await renewal
  return token !== '' && token !== sent
}

/** An act that ends the session, with its account: that reads are refused is what it does, and nobody is to sign in again. */
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
 * @returns whether a session has begun since then, in which the call may be made again; otherwise this one is over.
 */
export async function hasNewSession(sent: string | null): Promise<boolean> {
  if (await isOfFormerSession(sent)) return true
  // Who signed out has none any more.
  if (token === '' || isEnding) return false
  hasEnded = true
  token = ''
  whenOver()
  return false
}
