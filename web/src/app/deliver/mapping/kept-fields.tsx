/** The changed fields of a mapping, for readers who may not query the CRM. */
import { DataTable } from '../../../look/data-table.tsx'
import { Reading } from '../../../look/reading.tsx'
import { overrideInWords } from './override.ts'
import { useMapping } from './read-mapping.ts'
import { Versions } from './versions.tsx'

export function KeptFields({ id }: { readonly id: string }) {
  const mapping = useMapping(id)
  return (
    <>
      <Reading of={mapping} what="the changed fields">
        {({ fields }) => (
          <DataTable
            caption="Changed fields"
            rows={fields}
            keyOf={({ field, for: leads }) => `${field} ${leads?.join() ?? ''}`}
            empty={<p>No field is changed: Panji fills all of them.</p>}
            columns={[
              { head: 'Field', by: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
              { head: 'Changed to', cell: overrideInWords },
            ]}
          />
        )}
      </Reading>
      <details>
        <summary>Versions</summary>
        <Versions id={id} restored={() => undefined} />
      </details>
    </>
  )
}
