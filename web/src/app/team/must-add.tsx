/** The only page people see whose account requires a second factor, until they have added one. */
import { Page } from '../../look/page.tsx'
import { AddFactor } from './second-factor.tsx'

export function MustAddFactor() {
  return (
    <Page title="Add a second factor" lead="Your account requires one for everybody who signs in.">
      <p>You need an authenticator on your phone or computer. It takes a minute, and then you continue.</p>
      <AddFactor />
    </Page>
  )
}
