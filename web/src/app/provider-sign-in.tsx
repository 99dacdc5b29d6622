/** Signing in with the operator's identity provider, and the reason when it failed. */
import type { SignInWays } from '../wire/session.ts'

const sentences: Readonly<Record<string, string>> = {
  nobody: 'Nobody in this Panji has the e-mail address of that sign-in. Ask an admin of your account to invite you.',
  unverified: 'The provider has not verified your e-mail address. Verify it there, or sign in with a link.',
  failed: 'That sign-in was not finished, or was started elsewhere. Start again.',
  away: 'The provider gave an unexpected answer. Try again, or sign in with a link.',
}

export function ProviderSignIn({
  way,
  refused,
}: {
  readonly way: SignInWays['oidc']
  readonly refused: string | undefined
}) {
  const sentence = refused && sentences[refused]
  return (
    <>
      {sentence && (
        <p className="notice warn" role="alert">
          {sentence}
        </p>
      )}
      {way && (
        <p>
          <a className="button" href={way.path}>
            Sign in with {way.name}
          </a>
        </p>
      )}
    </>
  )
}
