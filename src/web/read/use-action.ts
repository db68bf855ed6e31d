import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Something that a button does: then everything shown is read again, since the bell may be late. */
export function useAction<Input, Output>(act: (input: Input) => Promise<Output>, done?: (output: Output) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    async onSuccess(output) {
      done?.(output)
      await queries.invalidateQueries()
    },
  })
}
