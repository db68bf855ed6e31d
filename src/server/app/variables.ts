import { Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { deleteVariable, putVariable, type VariableRow, variablesOf } from '#server/store/secrets.ts'
import type { World } from './world.ts'

const name = /^[A-Za-z_][A-Za-z0-9_]{0,299}$/
const longestValue = 32_768

/** A variable as it may be shown. */
export interface MaskedVariable {
  readonly name: string
  readonly value: string
  readonly createdAt: string
}

/** `xxxx` and the last min(4, half) characters: enough to know one's own, too little to use. */
export const maskOf = (value: string): string =>
  `xxxx${value.slice(value.length - Math.min(4, Math.floor(value.length / 2)))}`

const masked = (row: VariableRow): MaskedVariable => ({ name: row.name, value: row.hint, createdAt: row.created_at })

export async function listVariables(world: World, project: ProjectRow): Promise<readonly MaskedVariable[]> {
  return (await variablesOf(world.db, { project: project.id })).map(masked)
}

export async function findVariable(
  world: World,
  project: ProjectRow,
  wanted: string,
): Promise<MaskedVariable | undefined> {
  return (await listVariables(world, project)).find((variable) => variable.name === wanted)
}

/** Sets a variable; one of the same name is replaced. The value is sealed and never read back. */
export async function setVariable(
  world: World,
  project: ProjectRow,
  variable: string,
  value: string,
): Promise<MaskedVariable> {
  if (!name.test(variable))
    throw new Refusal(
      'invalid',
      'Cannot set the variable as its name must be letters, digits and underscores, at most 300, and begin with no digit: it is not',
    )
  if (value.length > longestValue)
    throw new Refusal(
      'invalid',
      `Cannot set variable ${variable} as its value must have at most ${longestValue} characters: it has ${value.length}`,
    )
  const row = {
    project_id: project.id,
    name: variable,
    value: world.seal.close(value),
    hint: maskOf(value),
    created_at: world.now(),
  }
  return masked(await world.db.transaction().execute((tx) => putVariable(tx, row)))
}

export async function removeVariable(world: World, project: ProjectRow, variable: string): Promise<boolean> {
  return world.db.transaction().execute((tx) => deleteVariable(tx, project.id, variable))
}
