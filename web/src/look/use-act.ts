/**
 * A mutation that ignores a second press. The browser renders the disabled button only after the first press, and the
 * second of a double click comes before that.
 */
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

export function useAct<Result, Typed = void>(options: UseMutationOptions<Result, Error, Typed>) {
  const act = useMutation(options)
  const isUnderWay = useRef(false)
  const mutate = (typed: Typed): void => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    act.mutate(typed, {
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return { ...act, mutate }
}
