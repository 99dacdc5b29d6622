/** The token that goes with the session's cookie. It lives in this page alone, and a reload asks for it again. */
let token = ''
let whenOver: () => void = () => {}

export const csrfToken = (): string => token

export function keepCsrfToken(given: string): void {
  token = given
}

/** @param act what happens when the server no longer knows the session. */
export function onSessionOver(act: () => void): void {
  whenOver = act
}

export function sessionIsOver(): void {
  token = ''
  whenOver()
}
