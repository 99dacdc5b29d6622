/** The result of testing a CRM: each check, and word for word what an administrator must do there. */
import type { components } from '../../../../client/api-types.ts'

export function TestResult({ of: { ok, checks } }: { readonly of: components['schemas']['DestinationTest'] }) {
  return (
    <div role="status">
      <p>{ok ? 'Everything works.' : 'Do this in the CRM first, then test again:'}</p>
      <ul>
        {checks.map((check) => (
          <li key={check.name}>{`${check.ok ? 'well' : 'to do'}: ${check.name}. ${check.detail}`}</li>
        ))}
      </ul>
    </div>
  )
}
