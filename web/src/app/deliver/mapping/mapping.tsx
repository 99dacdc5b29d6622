/**
 * The fields of a CRM with their overrides, edited as a draft that is previewed on the newest leads. The draft survives
 * a reload and takes effect only when it is saved.
 */
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { useAddressState } from '../../../look/address-state.ts'
import { Choice } from '../../../look/choice.tsx'
import { EditConflict } from '../../../look/edit-conflict.tsx'
import { Failure } from '../../../look/failure.tsx'
import { useKeptDraft } from '../../../look/kept-draft.ts'
import { counted } from '../../../look/numbers.ts'
import { Page } from '../../../look/page.tsx'
import { Reading } from '../../../look/reading.tsx'
import { useMay } from '../../account.ts'
import { Needs } from '../../needs.tsx'
import { useDestinations } from '../use-destinations.ts'
import { begunOf, broughtUp, type MappingDraft } from './draft.ts'
import { Keep } from './keep.tsx'
import { KeptFields } from './kept-fields.tsx'
import { MappedFields } from './mapped-fields.tsx'
import { type FieldMapping, mappingOf, type Preview, previewOf, useMapping, usePreview } from './read-mapping.ts'
import { Versions, versionsOf } from './versions.tsx'

export default function MappingPage() {
  const { id = '' } = useParams()
  const mayPreview = useMay('deliver')
  const name = useDestinations().data?.data.find(({ destination_id }) => destination_id === id)?.name
  return (
    <Page
      title={name === undefined ? 'Fields of a CRM' : `Fields of ${name}`}
      lead={<Link href={`/destinations/${id}`}>The CRM</Link>}
    >
      <Needs scope="deliver" toRead>
        {mayPreview ? <Draft key={id} id={id} /> : <KeptFields id={id} />}
      </Needs>
    </Page>
  )
}

function Draft({ id }: { readonly id: string }) {
  const cache = useQueryClient()
  const mapping = useMapping(id)
  const [begun, setDraft] = useKeptDraft<MappingDraft>(`fields of ${id}`)
  const draft = begun && mapping.data ? broughtUp(begun, mapping.data) : begun
  const fields = draft?.fields ?? mapping.data?.fields
  const preview = usePreview(id, fields)
  const change = (next: readonly FieldMapping[]) => {
    const now = draft ?? (mapping.data && begunOf(mapping.data))
    if (now) setDraft({ ...now, fields: next })
  }
  const see = async (next: readonly FieldMapping[]) => {
    await cache.fetchQuery(previewOf(id, next))
    change(next)
  }
  return (
    <>
      <div className="acts">
        {draft && (
          <>
            <Keep
              id={id}
              draft={draft}
              isSeen={preview.isSuccess && !preview.isFetching}
              kept={() => {
                // Cached readings are out of date, and would be shown until the next read.
                cache.setQueryData(mappingOf(id).queryKey, { fields: [...draft.fields], revision: '' })
                void cache.invalidateQueries({ queryKey: versionsOf(id) })
                setDraft(undefined)
              }}
            />
            <button type="button" onClick={() => setDraft(undefined)}>
              Discard the draft
            </button>
          </>
        )}
        {fields && (
          <span className="faint">
            {counted(fields.length, 'field is', 'fields are')} changed{draft ? ', not saved yet' : ''}.
          </span>
        )}
      </div>
      {draft && draft.changed.length > 0 && <EditConflict what="the fields" press="Keep" changed={draft.changed} />}
      {fields === undefined && mapping.isError ? (
        <Failure of={mapping.error} again={() => void mapping.refetch()} />
      ) : (
        <Reading of={preview} what="the fields of the CRM">
          {(data) => (
            <>
              <Faults of={data.faults.map((fault) => naming(fault, fields ?? [], data.crm_fields))} />
              <Fields preview={data} fields={fields ?? []} see={see} change={change} />
            </>
          )}
        </Reading>
      )}
      <details>
        <summary>Versions</summary>
        <Versions
          id={id}
          restored={() => {
            setDraft(undefined)
            void cache.invalidateQueries({ queryKey: mappingOf(id).queryKey })
          }}
        />
      </details>
    </>
  )
}

/** The API numbers the fields of a draft; people know them by name. */
function naming(fault: string, fields: readonly FieldMapping[], crmFields: Preview['crm_fields']): string {
  const [, place, said = fault] = /^fields\[(\d+)\]: (.*)$/s.exec(fault) ?? []
  const name = fields[Number(place)]?.field
  if (name === undefined) return said
  return `${crmFields.find((field) => field.name === name)?.label ?? name}: ${said}`
}

function Faults({ of: faults }: { readonly of: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <div role="alert" className="failure">
      <p>This draft cannot be saved:</p>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </div>
  )
}

const shown = ['all', 'changed'] as const

function Fields(props: {
  readonly preview: Preview
  readonly fields: readonly FieldMapping[]
  readonly see: (fields: readonly FieldMapping[]) => Promise<void>
  readonly change: (fields: readonly FieldMapping[]) => void
}) {
  const { preview, fields, see, change } = props
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
            options={preview.sample.map((each) => ({ value: each.record, label: each.name }))}
            set={setRecord}
          />
        )}
      </div>
      <MappedFields
        crmFields={preview.crm_fields}
        columns={preview.columns}
        sample={sample}
        fields={fields}
        isAll={show !== 'changed'}
        see={see}
        change={change}
      />
    </>
  )
}
