const lines = new Map<string, Promise<unknown>>()

/** Does things to one repository one after another, as long as it is this process that does them: two fetches into one would fail each other. */
export async function inTurn<T>(path: string, task: () => Promise<T>): Promise<T> {
  const before = lines.get(path) ?? Promise.resolve()
  const done = before.then(task, task)
  const quiet = done
    .catch(() => {})
    .finally(() => {
      if (lines.get(path) === quiet) lines.delete(path)
    })
  lines.set(path, quiet)
  return done
}
