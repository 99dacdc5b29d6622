/**
 * The fields of a CRM, beside what is said of single ones otherwise: in a draft, which is seen on the newest leads at once and
 * kept when somebody keeps it.
 */
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAddressState } from '../../../look/address-state.ts'
import { Choice } from '../../../look/choice.tsx'
import { counted } from '../../../look/numbers.ts'
import { Page } from '../../../look/page.tsx'
import { Reading } from '../../../look/reading.tsx'
import { Needs } from '../../needs.tsx'
import { Keep } from './keep.tsx'
import { MappedFields } from './mapped-fields.tsx'
import { type FieldMapping, type Preview, useMapping, usePreview } from './read-mapping.ts'

export default function MappingPage() {
  const { id = '' } = useParams()
  return (
    <Page title="Fields of a CRM" lead={<Link href={`/destinations/${id}`}>The CRM</Link>}>
      <Needs scope="deliver">
        <Draft id={id} />
      </Needs>
    </Page>
  )
}

function Draft({ id }: { readonly id: string }) {
  const mapping = useMapping(id)
  const [draft, setDraft] = useState<readonly FieldMapping[]>()
  const fields = draft ?? mapping.data
  const preview = usePreview(id, fields)
  return (
    <Reading of={preview} what="the fields of the CRM">
      {(data) => (
        <>
          {data.faults.length > 0 && (
            <div role="alert" className="failure">
              <p>The draft cannot be kept like this:</p>
              <ul>
                {data.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            </div>
          )}
          <div className="acts">
            {draft && (
              <>
                <Keep id={id} fields={draft} kept={() => setDraft(undefined)} />
                <button type="button" onClick={() => setDraft(undefined)}>
                  Drop the draft
                </button>
              </>
            )}
            <span className="faint">
              {counted(fields?.length ?? 0, 'field is', 'fields are')} said otherwise{draft ? ', not kept yet' : ''}.
            </span>
          </div>
          <Fields preview={data} fields={fields ?? []} change={setDraft} />
        </>
      )}
    </Reading>
  )
}

const shown = ['all', 'said otherwise'] as const

function Fields(props: {
  readonly preview: Preview
  readonly fields: readonly FieldMapping[]
  readonly change: (fields: readonly FieldMapping[]) => void
}) {
  const { preview, fields, change } = props
  const [show, setShow] = useAddressState('show', 'all')
  const [record, setRecord] = useAddressState('lead', preview.sample[0]?.record ?? '')
  const sample = preview.sample.find((each) => each.record === record) ?? preview.sample[0]
  return (
    <>
      <div className="filters">
        <Choice label="Fields" value={show} options={shown} set={setShow} />
        {preview.sample.length > 0 && (
          <Choice
            label="As it would be for"
            value={sample?.record ?? ''}
            options={preview.sample.map((each) => each.record)}
            set={setRecord}
          />
        )}
      </div>
      <MappedFields
        crmFields={preview.crm_fields}
        sample={sample?.fields ?? []}
        fields={fields}
        isAll={show !== 'said otherwise'}
        change={change}
      />
    </>
  )
}
