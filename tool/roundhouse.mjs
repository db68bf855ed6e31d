#!/usr/bin/env -S node --
/*
 * The command `roundhouse`, wherever it is called from: see launch.mjs.
 */
process.argv.splice(2, 0, 'bin/roundhouse.ts')
await import('./launch.mjs')
