/** A file dropped on any page is identified and previewed. */
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../look/lazy-part.tsx'
import { useMay } from '../operator.ts'

const LookAtFile = lazyPart(() => import('./look-at-file.tsx'))

export function DropAnywhere() {
  const may = useMay('operator')
  const [isOver, setIsOver] = useState(false)
  const [file, setFile] = useState<File>()
  useEffect(() => {
    if (!may) return
    const leaving = new AbortController()
    const { signal } = leaving
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    }
    addEventListener('dragenter', over, { signal })
    addEventListener('dragover', over, { signal })
    // Only when the drag leaves the window, not when it moves between elements.
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false), { signal })
    addEventListener(
      'drop',
      (event) => {
        setIsOver(false)
        const [dropped] = event.dataTransfer?.files ?? []
        if (dropped === undefined) return
        event.preventDefault()
        setFile(dropped)
      },
      { signal },
    )
    return () => leaving.abort()
  }, [may])
  return (
    <>
      {isOver && (
        <div className="drop-here" aria-hidden>
          Drop the file to see what it is and what it would change
        </div>
      )}
      {file && (
        <Suspense fallback={null}>
          <LookAtFile file={file} close={() => setFile(undefined)} />
        </Suspense>
      )}
    </>
  )
}
