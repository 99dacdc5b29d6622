/** Imports a file: shows the upload progress, then opens the page of the run. */
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { Failure } from '../../look/failure.tsx'
import { typedIn } from '../../look/field.tsx'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { Fields } from '../../look/fields.tsx'
import { indianDay } from '../../look/indian-day.ts'
import { Mistyped } from '../../look/mistyped.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { useAct } from '../../look/use-act.ts'
import { uploadSnapshot } from '../../wire/upload.ts'
import { useMay } from '../operator.ts'
import { useOverview } from '../overview.ts'
import { modeField, modeOf } from './mode-field.ts'
import { type SourceName, startRun } from './start-run.ts'

/** One `COLUMN=field` per line, split at the last equals sign. */
const columnsOf = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.lastIndexOf('=')
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )

export default function ImportFile() {
  const overview = useOverview()
  const may = useMay('operator')
  return (
    <Page
      title="Import a file"
      lead="A CSV, a workbook or JSON, also as .gz or .zip. It is checked, and needs approval where it looks suspicious."
    >
      {may ? (
        <Reading of={overview} what="the sources">
          {({ sources }) => <ImportForm sources={sources.map(({ source }) => source)} />}
        </Reading>
      ) : (
        <p>Viewers cannot import files. Ask an operator.</p>
      )}
    </Page>
  )
}

function ImportForm({ sources }: { readonly sources: readonly string[] }) {
  const [, go] = useLocation()
  const [source] = useAddressState('source')
  const fileId = useId()
  const faultId = useId()
  const [sent, setSent] = useState<number>()
  const start = useAct({
    mutationFn: async ({ typed, file }: { readonly typed: Typed; readonly file: File | undefined }) => {
      const { source = '', address, as_of, mode, columns, force, dry_run } = typed
      const options = {
        source: source as SourceName,
        ...(as_of && { as_of }),
        ...modeOf(mode),
        ...(columns && { columns: columnsOf(columns) }),
        force: force === 'on',
        dry_run: dry_run === 'on',
      }
      if (!file) {
        if (address === undefined) throw new Mistyped('Choose a file, or enter an address.')
        return startRun({ ...options, address })
      }
      if (file.size === 0) throw new Mistyped(`${file.name} is empty. Choose another file.`)
      const { upload_id } = await uploadSnapshot(file, { name: file.name, onProgress: setSent })
      return startRun({ ...options, upload_id })
    },
    onSuccess: ({ run_id }) => go(`/runs/${run_id}`),
    onSettled: () => setSent(undefined),
  })
  const fields: readonly FieldShape[] = [
    {
      ...{ name: 'address', label: 'Or where it is published', optional: true },
      hint: 'An https: address; used where no file is chosen. Credentials in it are sealed.',
    },
    { name: 'source', label: 'What it holds', options: sources, ...(sources.includes(source) && { initial: source }) },
    {
      name: 'as_of',
      label: 'As of the day',
      kind: 'date',
      initial: indianDay(),
      hint: 'The day that the file describes.',
    },
    modeField,
    {
      name: 'columns',
      label: 'Columns with other names',
      kind: 'lines',
      optional: true,
      hint: 'COLUMN=field, one per line, where Panji does not know a header. Later files with these columns are read alike.',
    },
    { name: 'dry_run', label: 'Preview only: write nothing', kind: 'check', optional: true },
    { name: 'force', label: 'Import even if the same file was imported before', kind: 'check', optional: true },
  ]
  return (
    <form
      className="narrow"
      onSubmit={(event) => {
        event.preventDefault()
        const file = new FormData(event.currentTarget).get('file')
        start.mutate({
          typed: typedIn(event.currentTarget),
          // A form without a chosen file submits one with an empty name.
          file: file instanceof File && file.name !== '' ? file : undefined,
        })
      }}
    >
      <div className="field">
        <label htmlFor={fileId}>File of this machine</label>
        <input
          id={fileId}
          name="file"
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.gz,.zip"
          {...(start.error instanceof Mistyped && { 'aria-invalid': true, 'aria-describedby': faultId })}
        />
      </div>
      <Fields of={fields} typed={{}} fault={start.isError && { failure: start.error, id: faultId }} />
      {start.isError && <Failure of={start.error} fields={fields} id={faultId} isAct />}
      {sent !== undefined && (
        <p role="status">
          Sending the file, {Math.round(100 * sent)} % <progress aria-label="How much was sent" max={1} value={sent} />
        </p>
      )}
      <div className="acts">
        <button type="submit" className="main" aria-disabled={start.isPending}>
          {start.isPending ? 'Importing …' : 'Import'}
        </button>
      </div>
    </form>
  )
}
