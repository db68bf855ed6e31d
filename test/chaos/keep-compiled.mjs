import { flushCompileCache } from 'node:module'

/* Loaded into every process that may be killed: what it has compiled is kept early, as one that is killed keeps nothing at its end. */
for (const ms of [1_000, 4_000]) setTimeout(() => flushCompileCache(), ms).unref()
