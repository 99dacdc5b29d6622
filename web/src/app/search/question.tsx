/**
 * The query editor with what the query means, a fix for each mistake, and a live count of matches. A search runs only
 * when it is submitted.
 */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../look/lazy-part.tsx'
import { counted } from '../../look/numbers.ts'
import { metered } from '../../wire/queries.ts'
import { search } from './found.ts'
import type { Kind, Reading } from './language.ts'

const ScreenerEditor = lazyPart(() => import('./screener-editor.tsx'))

interface Text {
  readonly asked: string
  readonly typed: string
  readonly edition: number
}

export function Question(props: {
  readonly type: Kind
  readonly query: string
  readonly ask: (query: string) => void
}) {
  const { type, query, ask } = props
  const [text, setText] = useState<Text>({ asked: query, typed: query, edition: 0 })
  const [read, setRead] = useState<{ readonly reading: Reading; readonly fix: (() => void) | undefined }>()
  const typed = text.typed.trim()
  if (text.asked !== query) {
    // Another query in the address, as after going back, replaces the text; a query typed here stays.
    const edition = typed === query ? text.edition : text.edition + 1
    setText({ asked: query, typed: query, edition })
  }
  const run = () => typed !== '' && ask(typed)
  return (
    <>
      <Suspense fallback={<p role="status">Fetching the editor …</p>}>
        <ScreenerEditor
          key={text.edition}
          type={type}
          initial={text.typed}
          changed={(now) => setText((before) => ({ ...before, typed: now }))}
          read={(reading, fix) => setRead({ reading, fix })}
          run={run}
        />
      </Suspense>
      <Meaning query={typed} reading={read?.reading} fix={read?.fix} type={type} />
      <div className="acts">
        <button type="button" className="main" disabled={typed === ''} onClick={run}>
          Search
        </button>
      </div>
    </>
  )
}

function Meaning(props: {
  readonly query: string
  readonly reading: Reading | undefined
  readonly fix: (() => void) | undefined
  readonly type: Kind
}) {
  const { reading, fix, type } = props
  const canonical = reading?.ok ? reading.canonical : ''
  const query = props.query === '' ? '' : canonical
  const total = useQuery({
    queryKey: ['count', type, query],
    queryFn: async ({ signal }) => (await search(query, type, 1, 1, undefined, signal)).total,
    enabled: query !== '',
    ...metered,
  })
  if (props.query === '' || !reading) return <p className="hint">Type a query to search.</p>
  if (!reading.ok) {
    const { message, suggestion } = reading.mistake
    return (
      <div className="acts">
        <p role="status" className="hint">
          {message}
        </p>
        {fix && (
          <button type="button" onClick={fix}>
            {`Fix it: ${suggestion?.trim()}`}
          </button>
        )}
      </div>
    )
  }
  return (
    <p role="status" className="hint">
      {total.data === undefined ? 'Counting …' : `Finds ${counted(total.data, 'record')}.`} Read as{' '}
      <code>{reading.canonical}</code>
    </p>
  )
}
