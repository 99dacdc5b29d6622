/** The registers, searchable by name or identifier. */
import { Link } from 'wouter'
import { useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { registerReach } from '../../look/last-page.ts'
import { ListTable } from '../../look/list-table.tsx'
import { Page } from '../../look/page.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { isIdentifier, recordAddress } from './record-address.ts'

const limit = 50
const registers = [
  { value: 'company', label: 'Companies' },
  { value: 'gst', label: 'GST registrations' },
  { value: 'director', label: 'Directors' },
] as const
type Register = (typeof registers)[number]['value']

export default function Records() {
  const [name, setName] = useAddressState('name')
  const [register, setRegister] = useAddressState('register', 'company')
  const known = registers.find(({ value }) => value === register)?.value ?? 'company'
  return (
    <Page
      title="Records"
      lead="What the registers hold of one company, person or registration, where each value came from, and what changed."
    >
      <SearchBox label="Name, or CIN, LLPIN, DIN or GSTIN" value={name} set={setName} />
      <div className="filters">
        <Choice label="Register" value={register} options={registers} set={setRegister} />
      </div>
      {name === '' ? (
        <div className="empty">
          <p>Type a name or a part of one, or a whole identifier. Closed records are found by their identifier.</p>
        </div>
      ) : (
        <Found key={`${known} ${name}`} register={known} name={name} />
      )}
    </Page>
  )
}

function Found({ register, name }: { readonly register: Register; readonly name: string }) {
  const [page] = usePage()
  const params = { query: { register, name, page, limit } }
  const found = useReadPage(['records', 'named', register, name, page], () => api.GET('/admin/records', { params }))
  return (
    <>
      {isIdentifier(name) && (
        <p>
          <Link href={recordAddress(name)}>Open {name.toUpperCase()}</Link>, also where it is closed.
        </p>
      )}
      <ListTable
        of={found}
        what="the records"
        pages={{ limit, one: 'record', reach: registerReach }}
        caption="Records"
        keyOf={({ identifier }) => identifier}
        empty={<p>No open record of this register has that name. Try another register, or part of the name.</p>}
        columns={[
          {
            head: 'Name',
            cell: ({ identifier, name: called }) => (
              <Link href={`/records/${register}/${encodeURIComponent(identifier)}`}>{called}</Link>
            ),
          },
          { head: 'Identifier', cell: ({ identifier }) => <code>{identifier}</code> },
          { head: 'State', cell: ({ state }) => state ?? '–' },
          { head: 'Status', cell: ({ status }) => status ?? '–' },
        ]}
      />
    </>
  )
}
