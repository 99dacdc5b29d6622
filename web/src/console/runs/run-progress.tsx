/** The progress of a run: by bytes of its file where known, otherwise by the time that the previous run took. */
import { counted } from '../../look/numbers.ts'
import type { Run } from './run-reads.ts'

const stepWords: Readonly<Record<string, string>> = {
  stage: 'reading the file',
  check: 'checking the rows',
  merge: 'merging into the register',
}

export function RunProgress({ run: { status, progress } }: { readonly run: Run }) {
  const { step, rows, bytes_read, bytes_total, since, expected_seconds } = progress
  if (step === undefined) return status === 'queued' ? <span>It waits for a worker.</span> : null
  const passed = since === undefined ? 0 : (Date.now() - Date.parse(since)) / 1000
  const done =
    bytes_read && bytes_total ? bytes_read / bytes_total : expected_seconds ? passed / expected_seconds : null
  const words = [
    stepWords[step] ?? step,
    rows === undefined ? '' : counted(rows, 'row'),
    done === null ? '' : `${Math.min(99, Math.round(100 * done))} %`,
  ]
  return (
    <>
      <span>{words.filter((each) => each !== '').join(', ')}</span>
      <progress
        aria-label="How far this step has come"
        max={1}
        {...(done === null ? {} : { value: Math.min(0.99, done) })}
      />
    </>
  )
}
