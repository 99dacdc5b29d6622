/** The fields of a form: those that matter for what is typed, and those that few people need folded under their heading. */
import { Field } from './field.tsx'
import type { FieldShape, Typed } from './field-shape.ts'

/** What a form says before anybody typed. */
export const initialOf = (fields: readonly FieldShape[]): Typed =>
  Object.fromEntries(fields.flatMap(({ name, initial = '' }) => (initial === '' ? [] : [[name, initial]])))

export function Fields({ of: fields, typed }: { readonly of: readonly FieldShape[]; readonly typed: Typed }) {
  const asked = fields.filter(({ when }) => when === undefined || when.is.includes(typed[when.name] ?? ''))
  const folds = new Set(asked.flatMap(({ fold }) => (fold === undefined ? [] : [fold])))
  return (
    <>
      {asked.map((field) => field.fold === undefined && <Field key={field.name} {...field} />)}
      {[...folds].map((fold) => (
        // What the browser refuses is never out of sight.
        <details
          key={fold}
          onInvalidCapture={({ currentTarget }) => {
            currentTarget.open = true
          }}
        >
          <summary>{fold}</summary>
          {asked.map((field) => field.fold === fold && <Field key={field.name} {...field} />)}
        </details>
      ))}
    </>
  )
}
