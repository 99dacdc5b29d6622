/** Whether everybody who signs in needs a second factor; an admin decides. */
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

export function FactorRule({ isRequired }: { readonly isRequired: boolean }) {
  return (
    <section>
      <h2>Second factor for everybody</h2>
      <p>
        {isRequired
          ? 'Required: people without one must add one first.'
          : 'Not required: everybody decides for themselves.'}
      </p>
      <AccountAct
        needs="keys"
        label={isRequired ? 'No longer require' : 'Require for everybody'}
        title={isRequired ? 'No longer require a second factor?' : 'Require a second factor for everybody?'}
        says={() =>
          isRequired ? 'A second factor is no longer required.' : 'A second factor is required for everybody.'
        }
        calls={() => api.PUT('/api/team/rules', { body: { second_factor_required: !isRequired } })}
      >
        <p>
          {isRequired
            ? 'People who have one keep it.'
            : 'People without one must add one at their next click. API keys are not affected.'}
        </p>
      </AccountAct>
    </section>
  )
}
