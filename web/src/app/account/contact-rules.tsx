/** Whether contacts whose owner asked not to be contacted are left out of quotes, orders and leads. */
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'

export function ContactRules() {
  const rules = useRead(['contact-rules'], () => api.GET('/api/users/me/contact-rules'))
  return (
    <section>
      <h2>Contacts under a preference</h2>
      <Reading of={rules} what="your rules">
        {({ exclude_do_not_contact: isExcluded }) => (
          <>
            <p>
              {isExcluded
                ? 'Contacts whose owner asked not to be contacted are left out of your quotes, orders and leads.'
                : 'Contacts whose owner asked not to be contacted are included in your leads and marked.'}
            </p>
            <AccountAct
              needs="order"
              asAdmin
              label={isExcluded ? 'Include them again' : 'Leave them out'}
              title={isExcluded ? 'Include these contacts again?' : 'Leave these contacts out?'}
              says={() => (isExcluded ? 'They are included again.' : 'They are left out from now on.')}
              calls={() => {
                const body = { exclude_do_not_contact: !isExcluded }
                return api.PUT('/api/users/me/contact-rules', { body })
              }}
            >
              <p>
                {isExcluded
                  ? 'New orders include them, and a record with no other contact costs a credit.'
                  : 'New orders leave them out, and a record with no other contact costs nothing.'}{' '}
                Leads that are already built do not change.
              </p>
            </AccountAct>
          </>
        )}
      </Reading>
    </section>
  )
}
