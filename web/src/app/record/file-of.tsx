/** The name of a source file; pressing it shows the file's SHA-256. */
import { Tip } from '../../look/tip.tsx'

export function FileOf({ name, sha256 }: { readonly name: string; readonly sha256: string | null | undefined }) {
  const file = <code>{name}</code>
  if (!sha256) return file
  return (
    <Tip of={file} name="SHA-256 of the file">
      <code>{sha256}</code>
    </Tip>
  )
}
