/** Whether everybody who signs in must have a second factor; an admin says so. */
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

export function FactorRule({ isRequired }: { readonly isRequired: boolean }) {
  return (
    <section>
      <h2>Second factor of everybody</h2>
      <p>
        {isRequired
          ? 'Required: who has none adds one before anything else.'
          : 'Not required: everybody decides for themselves.'}
      </p>
      <AccountAct
        needs="keys"
        label={isRequired ? 'No longer require' : 'Require of everybody'}
        title={isRequired ? 'No longer require a second factor?' : 'Require a second factor of everybody?'}
        says={() =>
          isRequired ? 'A second factor is no longer required.' : 'A second factor is required of everybody.'
        }
        run={async () => dataOf(await api.PUT('/api/team/rules', { body: { second_factor_required: !isRequired } }))}
      >
        <p>
          {isRequired
            ? 'Those who have one keep it.'
            : 'Whoever has none adds one with their next click, before anything else. API keys are not asked.'}
        </p>
      </AccountAct>
    </section>
  )
}
