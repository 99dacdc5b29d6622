/** Which addresses a webhook may have, as far as their text tells; where they lead to is looked at when they are called. */

const urlLengthMax = 2_000

/** @returns why webhooks are not sent to it, as the end of a sentence; null where they may be. */
export function faultOfUrl(text: string): string | null {
  if (text.length > urlLengthMax || !URL.canParse(text)) return 'must be an address'
  const url = new URL(text)
  if (!['https:', 'http:'].includes(url.protocol)) return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not carry credentials'
  return url.hash === '' ? null : 'must have no fragment'
}
