/** Several selected orders, from any page of the list, as one file, in the order of selection. */
import { Download, fileOf } from '../../look/download.tsx'
import { counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'

const formats = ['csv', 'xlsx', 'json'] as const

export function Together({ orderIds }: { readonly orderIds: readonly string[] }) {
  if (orderIds.length === 0) return null
  return (
    <fieldset className="notice acts">
      <legend className="unseen">What was chosen as one file</legend>
      <span role="status">{counted(orderIds.length, 'order')} as one file:</span>
      {formats.map((format) => (
        <Download
          key={format}
          label={format.toUpperCase()}
          name={`${counted(orderIds.length, 'order').replace(' ', '-')}.${format}`}
          fetch={async (progress) => {
            // Excel reads a CSV as UTF-8 only with a byte order mark.
            const body = { order_ids: [...orderIds], format, bom: format === 'csv' }
            return fileOf(await api.POST('/api/orders/export', { body, parseAs: 'stream' }), progress)
          }}
        />
      ))}
    </fieldset>
  )
}
