/**
 * The search box for plain words. The query they were read as is shown below, with a removable chip for each part, and
 * words that were not understood are marked instead of guessed at. The address holds the query.
 */

import { useMutation, useQuery } from '@tanstack/react-query'
import type { components } from '../../../../client/api-types.ts'
import { Failure } from '../../look/failure.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { Tip } from '../../look/tip.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { Chip } from './chip.tsx'
import type { Kind } from './language.ts'

type Part = components['schemas']['UnreadPart']

export interface Asked {
  readonly phrase: string
  readonly query: string
  readonly type: Kind
}

const readingOf = async (phrase: string, type: Kind) =>
  dataOf(await api.POST('/api/screener/phrase', { body: { phrase, type } }))

export function useReadPhrase(type: Kind, ask: (asked: Asked) => void) {
  return useMutation({
    mutationFn: async (typed: string): Promise<Asked> => {
      if (typed === '') return { phrase: '', query: '', type }
      const reading = await readingOf(typed, type)
      return { phrase: typed, query: reading.query, type: reading.type }
    },
    onSuccess: ask,
  })
}

export function Phrase(props: {
  readonly phrase: string
  readonly type: Kind
  readonly read: ReturnType<typeof useReadPhrase>
}) {
  const { phrase, type, read } = props
  return (
    <>
      <div className="phrase">
        <SearchBox label="What are you looking for?" value={phrase} set={read.mutate} act="Find" />
      </div>
      {read.error && <Failure of={read.error} />}
      {phrase !== '' && <ReadAs phrase={phrase} type={type} change={read.mutate} />}
    </>
  )
}

function ReadAs(props: { readonly phrase: string; readonly type: Kind; readonly change: (phrase: string) => void }) {
  const { phrase, type, change } = props
  const { data } = useQuery({
    queryKey: ['phrase', phrase, type],
    queryFn: () => readingOf(phrase, type),
    staleTime: 600_000,
  })
  if (!data) return <p role="status">Reading …</p>
  const without = ({ from, to }: Part) => `${phrase.slice(0, from)} ${phrase.slice(to)}`.replaceAll(/\s+/g, ' ').trim()
  return (
    <section aria-label="Read as">
      <ul className="chips">
        {data.parts.map((part) => (
          <Chip key={part.from} name={part.text} remove={() => change(without(part))}>
            <Tip of={part.text} name="Read as">
              <code>{part.condition}</code>
            </Tip>
          </Chip>
        ))}
        {data.unread.map((part) => (
          <Chip key={part.from} name={part.text} remove={() => change(without(part))} className="unread">
            <mark>{part.text}</mark>
          </Chip>
        ))}
      </ul>
      {data.unread.length > 0 && (
        <p role="status" className="hint">
          What is marked was not understood and does not narrow the search.
        </p>
      )}
    </section>
  )
}
