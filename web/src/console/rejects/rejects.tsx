/**
 * The rejected rows of a run as a grid, with the reason and the raw row. They can be fixed and imported here, or
 * downloaded as a CSV.
 */

import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAddressState, useSort } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { Choice } from '../../look/choice.tsx'
import { Failure } from '../../look/failure.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { RowGrid } from '../../look/row-grid.tsx'
import { saveAs } from '../../look/save-as.ts'
import { Tip } from '../../look/tip.tsx'
import { useAct } from '../../look/use-act.ts'
import { api, dataOf, type SortOf } from '../../wire/api.ts'
import { worded } from '../runs/worded.ts'
import { Fix, type Fixes, ImportFixed } from './fix.tsx'
import { type RejectCode, useRejects } from './read-rejects.ts'
import { rejectReasons } from './reject-reasons.ts'

const codes = Object.keys(rejectReasons) as RejectCode[]

export default function Rejects() {
  const { id = '' } = useParams()
  const [chosen, setCode] = useAddressState('code')
  const code = codes.find((each) => each === chosen)
  const { head, rowAt, onSight, failed } = useRejects({ id, code, ...useSort<SortOf<'listRejects'>>() })
  const [fixed, setFixed] = useState<Fixes>(new Map())
  const keep = (line: number, cells: readonly string[]) => setFixed((before) => new Map(before).set(line, cells))
  const exported = useAct({
    mutationFn: async () => {
      const params = { path: { id }, query: code ? { code } : {} }
      const reply = await api.GET('/admin/ingest/runs/{id}/rejects/export', { params, parseAs: 'blob' })
      saveAs(dataOf(reply), `rejects-of-run-${id}.csv`)
    },
  })
  return (
    <Page
      title={`Rejected rows of import ${id}`}
      lead={<Link href={`/runs/${id}`}>Back to the import</Link>}
      acts={
        head.data && (
          <button type="button" aria-disabled={exported.isPending} onClick={() => exported.mutate()}>
            {exported.isPending ? 'Writing the CSV …' : 'Download CSV'}
          </button>
        )
      }
    >
      {exported.isError && <Failure of={exported.error} />}
      <div className="filters">
        <Choice
          label="Reason"
          value={chosen}
          options={['', ...codes.map((value) => ({ value, label: worded(value) }))]}
          set={setCode}
        />
        {code && <p className="hint">{rejectReasons[code]}</p>}
      </div>
      {failed && head.data && <Failure of={failed.error} again={() => void failed.refetch()} />}
      <Reading of={head} what="the rejected rows">
        {({ total, rejected, header }) =>
          total === 0 ? (
            <div className="empty">
              <p>{code ? 'No row was rejected for that reason.' : 'No row of this import was rejected.'}</p>
            </div>
          ) : (
            <>
              <p>
                {counted(total, 'row')}
                {code === undefined &&
                  total < rejected &&
                  `; only the first of the ${count(rejected)} rejected rows are stored`}
              </p>
              {fixed.size > 0 && (
                <div className="notice acts">
                  <ImportFixed runId={id} header={header} fixed={fixed} />
                  <button type="button" onClick={() => setFixed(new Map())}>
                    Discard the fixes
                  </button>
                </div>
              )}
              <RowGrid
                key={chosen}
                caption="Rejected rows"
                total={total}
                rowAt={rowAt}
                onSight={onSight}
                columns={[
                  { head: 'Line', sortedAs: 'line', width: '5rem', cell: ({ line }) => count(line) },
                  {
                    head: 'Reason',
                    sortedAs: 'code',
                    width: '11rem',
                    cell: ({ code }) => (
                      <Tip of={worded(code)} name="What it means">
                        {rejectReasons[code]}
                      </Tip>
                    ),
                  },
                  { head: 'What is wrong', width: 'minmax(8rem, 1fr)', cell: ({ message }) => <Cut text={message} /> },
                  { head: 'Row in the file', width: 'minmax(8rem, 2fr)', cell: ({ raw }) => <Cut text={raw} code /> },
                  {
                    head: 'Fix',
                    width: '8rem',
                    cell: (row) => (
                      <>
                        <Fix reject={row} header={header} cells={fixed.get(row.line)} keep={keep} />{' '}
                        {fixed.has(row.line) && <Badge tone="good">fixed</Badge>}
                      </>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Reading>
    </Page>
  )
}

/** As much as fits; a press shows all of it. */
function Cut({ text, code = false }: { readonly text: string; readonly code?: boolean }) {
  const Words = code ? 'code' : 'span'
  return (
    <Tip of={<Words className="cut">{text}</Words>} name="In full">
      <Words>{text}</Words>
    </Tip>
  )
}
