/** One form field with its label, and a function that reads all fields of a form. */
import { useId } from 'react'
import { DayInput } from './day-input.tsx'
import type { FieldShape, Typed } from './field-shape.ts'

export function typedIn(form: HTMLFormElement): Typed {
  const typed: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') typed[name] = value.trim()
  }
  return typed
}

export function Field({ faultId, ...field }: FieldShape & { readonly faultId?: string | undefined }) {
  const id = useId()
  const { label, hint, kind = 'text', optional = false } = field
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={kind === 'check' ? 'field check' : 'field'}>
      <label htmlFor={id}>
        {label}
        {optional && kind !== 'check' && <span className="faint"> (optional)</span>}
      </label>
      <Control field={field} id={id} hintId={hintId} faultId={faultId} />
      {hint && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

function Control(props: {
  readonly field: FieldShape
  readonly id: string
  readonly hintId: string | undefined
  readonly faultId: string | undefined
}) {
  const { field, id, hintId, faultId } = props
  const { name, kind = 'text', options, initial = '', optional = false, max = 100, fills } = field
  const described = [hintId, faultId].filter((each) => each !== undefined).join(' ')
  const shared = {
    ...{ id, name, required: !optional },
    ...(described !== '' && { 'aria-describedby': described }),
    ...(faultId !== undefined && { 'aria-invalid': true }),
    ...(fills !== undefined && { autoComplete: fills }),
  }
  if (options) {
    return (
      <select {...shared} defaultValue={initial}>
        {options.map((option) => {
          const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
          return (
            <option key={value} value={value}>
              {label}
            </option>
          )
        })}
      </select>
    )
  }
  if (kind === 'lines') return <textarea {...shared} rows={4} defaultValue={initial} />
  if (kind === 'check') return <input {...shared} type="checkbox" defaultChecked={initial === 'on'} />
  if (kind === 'date') return <DayInput {...shared} day={initial} />
  // A whole number needs no step: the browser rejects fractions by default.
  const hundredths = { type: 'number', step: '0.01' }
  let typed: object = { type: kind }
  if (kind === 'decimal') typed = { ...hundredths, min: '0.01' }
  if (kind === 'percent') typed = { ...hundredths, min: '0', max: String(max) }
  return <input autoComplete="off" {...shared} {...typed} defaultValue={initial} />
}
