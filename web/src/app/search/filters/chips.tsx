/** The active filters, a chip for each; removing one widens the search. */
import { Chip } from '../chip.tsx'
import { queryOf, type Terms } from './terms.ts'
import { wordsOf } from './words.ts'

export function FilterChips({ terms, ask }: { readonly terms: Terms; readonly ask: (query: string) => void }) {
  if (terms.length === 0) return null
  return (
    <section aria-label="Chosen filters">
      <ul className="chips">
        {terms.map((term) => (
          <Chip
            key={term.text}
            name={wordsOf(term)}
            remove={() => ask(queryOf(terms.filter((each) => each !== term)))}
            {...(term.field === null && { className: 'written' })}
          >
            {term.field === null ? <code>{term.text}</code> : wordsOf(term)}
          </Chip>
        ))}
        {terms.length > 1 && (
          <li className="plain">
            <button type="button" className="as-link" onClick={() => ask('')}>
              Clear all
            </button>
          </li>
        )}
      </ul>
      {terms.some(({ field }) => field === null) && (
        <p className="hint">The part in code was written in the query language; the filters narrow what it finds.</p>
      )}
    </section>
  )
}
