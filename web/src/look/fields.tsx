/** The fields of a form: the relevant ones, and rarely used ones folded under their heading. */
import { type Fault, isFaulty } from './faulty.ts'
import { Field } from './field.tsx'
import type { FieldShape, Typed } from './field-shape.ts'

export const initialOf = (fields: readonly FieldShape[]): Typed =>
  Object.fromEntries(fields.flatMap(({ name, initial = '' }) => (initial === '' ? [] : [[name, initial]])))

export function Fields(props: {
  readonly of: readonly FieldShape[]
  readonly typed: Typed
  /** The error of the last submit. */
  readonly fault?: Fault | false
}) {
  const { of: fields, typed, fault = false } = props
  const asked = fields.filter(({ when }) => when === undefined || when.is.includes(typed[when.name] ?? ''))
  const folds = new Set(asked.flatMap(({ fold }) => (fold === undefined ? [] : [fold])))
  const faultOf = (field: FieldShape) => (fault && isFaulty(fault.failure, field) ? fault.id : undefined)
  const shown = (field: FieldShape) => <Field key={field.name} {...field} faultId={faultOf(field)} />
  return (
    <>
      {asked.map((field) => field.fold === undefined && shown(field))}
      {[...folds].map((fold) => (
        // A field with an error is never hidden.
        <details
          key={fold}
          {...(asked.some((field) => field.fold === fold && faultOf(field) !== undefined) && { open: true })}
          onInvalidCapture={({ currentTarget }) => {
            currentTarget.open = true
          }}
        >
          <summary>{fold}</summary>
          {asked.map((field) => field.fold === fold && shown(field))}
        </details>
      ))}
    </>
  )
}
