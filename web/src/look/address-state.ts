/** What a page shows stands in its address, so that a link to it shows the same, and back and forward work. */
import { useSearchParams } from 'wouter'

/** One parameter of the address. Another choice begins at the first page again. */
export function useAddressState(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams()
  const set = (value: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      if (value === fallback) after.delete(name)
      else after.set(name, value)
      if (name !== 'page') after.delete('page')
      return after
    })
  return [parameters.get(name) ?? fallback, set]
}

export function usePage(): readonly [number, (page: number) => void] {
  const [page, setPage] = useAddressState('page', '1')
  return [Math.max(1, Number(page) || 1), (next) => setPage(String(next))]
}
