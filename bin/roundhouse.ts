#!/usr/bin/env -S node --
import { existsSync, readFileSync } from 'node:fs'
import type { SettingsFile } from '#cli/settings.ts'
import { program } from './program.ts'

/** Where there is no such file, what reads it is not loaded: agents are to be small. */
const settingsFile = async (path: string): Promise<SettingsFile | undefined> =>
  existsSync(path) ? { text: () => readFileSync(path, 'utf8'), parse: (await import('yaml')).parse } : undefined

await program(process.argv, await settingsFile('roundhouse.yml')).parseAsync(process.argv)
