/**
 * Uploads a file, shows which source, partitions and day it seems to be, and previews it by a dry run. Nothing is
 * written until Apply is pressed on the page of that run.
 */

import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { BusyButton } from '../../look/busy-button.tsx'
import { Failure } from '../../look/failure.tsx'
import { Day } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import { api, dataOf } from '../../wire/api.ts'
import { uploadSnapshot } from '../../wire/upload.ts'
import { type SourceName, startRun } from './start-run.ts'

export default function LookAtFile({ file, close }: { readonly file: File; readonly close: () => void }) {
  const [, go] = useLocation()
  const [sent, setSent] = useState(0)
  const look = useMutation({
    mutationFn: async (given: File) => {
      const { upload_id } = await uploadSnapshot(given, { name: given.name, onProgress: setSent })
      const params = { path: { upload_id } }
      return { upload_id, ...dataOf(await api.GET('/admin/ingest/uploads/{upload_id}', { params })) }
    },
  })
  const preview = useMutation({
    mutationFn: ({ source, as_of, upload_id }: { source: string; as_of: string; upload_id: string }) =>
      startRun({ source: source as SourceName, as_of, upload_id, force: false, dry_run: true }),
    onSuccess: ({ run_id }) => {
      close()
      go(`/runs/${run_id}`)
    },
  })
  const { mutate } = look
  useEffect(() => mutate(file), [mutate, file])
  const found = look.data
  const source = found?.source ?? null
  return (
    <Dialog open onClose={close} className="dialog" backdrop={<div className="backdrop" />}>
      <DialogHeading>{file.name}</DialogHeading>
      {look.isPending && (
        <p role="status">
          {sent < 1 ? `Sending the file, ${Math.round(100 * sent)} %` : 'Reading the file …'}{' '}
          <progress aria-label="How much was sent" max={1} value={sent} />
        </p>
      )}
      {look.isError && <Failure of={look.error} />}
      {found && source === null && (
        <p>
          None of the sources has a header like this one, with {counted(found.columns, 'column')}.{' '}
          <Link href="/import" onClick={close}>
            Import it with a map of its columns
          </Link>
        </p>
      )}
      {found && source !== null && (
        <>
          <p role="status">
            It looks like <strong>{source}</strong>
            {found.partitions.length > 0 && ` of ${found.partitions.join(', ')}`}, as of <Day on={found.as_of} />
            {found.as_of_from === 'name' ? ', by its name.' : ': its name shows no day.'}
          </p>
          {preview.isError && <Failure of={preview.error} />}
        </>
      )}
      <div className="acts">
        <DialogDismiss>Not now</DialogDismiss>
        {found && source !== null && (
          <BusyButton isBusy={preview.isPending} press={() => preview.mutate({ ...found, source })} tone="main">
            See what it would change
          </BusyButton>
        )}
      </div>
    </Dialog>
  )
}
