/** What the checks of a run found, in the words of the report: its parts as they come, whatever they are called. */
import { Facts, plain } from '../../look/facts.tsx'

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function RunReport({ report, error }: { readonly report: Members; readonly error: unknown }) {
  const entries = Object.entries(report)
  const flat = entries.filter(([, value]) => !isMembers(value) && !Array.isArray(value))
  const deep = entries.filter(([, value]) => isMembers(value) || Array.isArray(value))
  return (
    <section>
      {isMembers(error) && (
        <div className="failure">
          <p>{plain(error['message'] ?? error['detail'] ?? error)}</p>
        </div>
      )}
      {entries.length > 0 && <h2>What was found</h2>}
      {flat.length > 0 && <Facts of={flat.map(([name, value]) => [titled(name), plain(value)])} />}
      {deep.map(([name, value]) => (
        <Part key={name} name={titled(name)} value={value} />
      ))}
    </section>
  )
}

function Part({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <h3>{name}</h3>
      {isMembers(value) ? (
        <Facts of={Object.entries(value).map(([key, each]) => [titled(key), plain(each)])} />
      ) : (
        <ul>
          {(Array.isArray(value) ? value : [value]).map((each) => (
            <li key={JSON.stringify(each)}>{isMembers(each) ? sentenceOf(each) : plain(each)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const sentenceOf = (members: Members): string =>
  Object.entries(members)
    .map(([key, value]) => `${titled(key)}: ${plain(value)}`)
    .join(' · ')

function titled(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
