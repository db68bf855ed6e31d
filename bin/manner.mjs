/* How memory is given to our processes. Plain JavaScript, as `tool/launch.mjs` reads it with whatever Node a machine has. */

/**
 * The server: young objects get no more room than they need while there are many, and it is given back afterwards (`bin/give-back.ts`).
 * One heap for the program and one for the threads beside it, so that neither leaves holes in the other's.
 */
const server = {
  flags: ['--max-semi-space-size=4', '--expose-gc'],
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
}

/**
 * One compiler beside the interpreter instead of two, only for what is hot, and in the thread that waits for it: its memory leaves no holes
 * between what others hold meanwhile. Together 3 MB less when idle and 3 to 4 at the peak; with the other compiler alone it would be as
 * much, and masking at a third to half of its speed. These names are V8's own: another Node may refuse to start with them.
 */
const compiling = ['--no-maglev', '--no-concurrent-recompilation', '--invocation-count-for-turbofan=8000']

/**
 * Agents and whatever else: young objects get little room, as most of them live for one piece of a log or an archive. Such pieces
 * (half a megabyte at most) come from the one heap: each mapped anew, 500 MB unpacked met 127,000 page faults, a quarter of its system time.
 */
const small = ['--max-semi-space-size=1', '--expose-gc']
const others = {
  flags: [...small, ...compiling],
  environment: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '1048576' },
}

/** How Node runs a command of the program: its flags, and the environment beside ours. What is free at the end of a heap goes back to the machine: 4 MB. */
export const mannerOf = (command) => (command === 'up' ? server : others)

const isOurs = process.versions.node.startsWith('24.')

/**
 * The agent that comes with a server: as any other, and small on purpose, as the larger a process is, the longer its forks take. It runs on
 * the Node that the server runs on, which need not be the one of the lock file: an agent that does not start runs no jobs.
 */
export const embeddedManner = { ...others, flags: [...small, ...(isOurs ? compiling : []), '--max-old-space-size=128'] }
