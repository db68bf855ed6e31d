import { withOrbs } from '#config/annotate.ts'
import { compileParsed } from '#config/compile.ts'
import type { CompileInput } from '#config/compile-input.ts'
import type { Registry } from '#config/definitions/orbs.ts'
import { isSetup } from '#config/pipeline/declared.ts'
import { parse, type Parsed } from '#config/parse.ts'
import type { Problem } from '#config/problem.ts'
import { selectFrom } from '#config/select.ts'
import type { ParameterValue, PipelineError } from '#core/pipeline.ts'
import type { Plan } from '#core/plan.ts'
import { configPaths } from '#core/names.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { textOf } from '#server/store/texts.ts'
import { chosenConfigs } from './chosen-config.ts'
import { orbsFor } from './orb-prefixes.ts'
import { withSources } from './orb-sources.ts'
import { pipelineValues } from './pipeline-values.ts'
import { settingsOf } from './project-settings.ts'
import { remember } from './remember.ts'
import type { Revision, Revisions } from './revisions.ts'
import type { PipelineOptions } from './trigger.ts'
import type { World } from './world.ts'

/** What the compiler made of a pipeline's configuration. */
export type CompiledPipeline =
  | { readonly ok: true; readonly plan: Plan; readonly text: string; readonly configHash: string }
  | { readonly ok: false; readonly errors: readonly PipelineError[]; readonly configHash: string | null }

/** Fetches and compiles the configuration of pipelines; the same text is parsed once. */
export function pipelineCompiler(world: World, findRevision: Revisions) {
  const parsed = remember<string, { readonly tree: Parsed; readonly usesValues: boolean; readonly inSetup: boolean }>(
    200,
  )
  const findChosen = chosenConfigs(world, findRevision)
  const compiledBefore = remember<string, CompiledPipeline>(500)

  /** What is compiled alike has the same key; a text that names no pipeline value compiles alike for every pipeline of the same branch or tag. */
  function keyOf(
    configHash: string,
    usesValues: boolean,
    project: ProjectRow,
    pipeline: Compilable,
    values: unknown,
  ): string {
    const differing = usesValues ? values : [pipeline.branch, pipeline.tag]
    return JSON.stringify([configHash, project.organization, pipeline.parameters, pipeline.options, differing])
  }

  /** What was made of the same configuration before, if that is known without looking anywhere and depends on nothing that differs from pipeline to pipeline. */
  async function known(project: ProjectRow, pipeline: Compilable): Promise<CompiledPipeline | undefined> {
    if ((JSON.parse(pipeline.options) as PipelineOptions).source) return undefined
    const { configHash } = await findRevision(project, pipeline.revision).catch(() => ({ configHash: null }))
    const before = configHash === null ? undefined : parsed.get(configHash)
    if (configHash === null || !before || before.usesValues) return undefined
    return compiledBefore.get(keyOf(configHash, false, project, pipeline, undefined))
  }

  /** `onSetup` is called once it is known that the configuration makes another one, before it is compiled. */
  async function compile(
    project: ProjectRow,
    pipeline: PipelineRow,
    onSetup: () => Promise<void> = async () => {},
  ): Promise<CompiledPipeline> {
    let revision: Revision
    try {
      revision = await findRevision(project, pipeline.revision)
    } catch (error) {
      world.log.warn('Cannot read a revision', {
        project: project.id,
        revision: pipeline.revision,
        error: String(error),
      })
      return failed(
        'config-fetch',
        `Cannot read revision ${pipeline.revision} of ${project.organization}/${project.name}`,
      )
    }
    // A pipeline that has a configuration before it is compiled was given it by its setup.
    const wasContinued = pipeline.config_hash !== null
    const given = JSON.parse(pipeline.options) as PipelineOptions
    const chosen = given.source && (await findChosen(project, pipeline.revision, given.source))
    const configHash = pipeline.config_hash ?? given.config ?? (chosen === undefined ? revision.configHash : chosen)
    if (configHash === null) return failed('config-fetch', missing(project, pipeline, given.source))
    const { tree, usesValues, inSetup } =
      parsed.get(configHash) ?? parsed.set(configHash, parseOnce(await textOf(world.db, configHash)))
    if (wasContinued && inSetup) {
      return {
        ok: false,
        configHash,
        errors: [{ type: 'config', message: 'Cannot continue a pipeline with another setup configuration' }],
      }
    }
    if (inSetup && !settingsOf(project).setupWorkflows) {
      const message =
        'Cannot run a setup configuration: setup workflows are switched off in the settings of the project'
      return { ok: false, configHash, errors: [{ type: 'config', message }] }
    }
    if (inSetup && pipeline.state === 'pending') await onSetup()
    const values = { ...pipelineValues(world, project, pipeline, revision), in_setup: inSetup }
    const same = keyOf(configHash, usesValues, project, pipeline, values)
    const before = compiledBefore.get(same)
    if (before) return before
    const { result, asked } = await withSources(orbsFor(world, project.organization_id), (orbs) =>
      compileOnce(configHash, tree, pipeline, values, orbs),
    )
    // What an orb is may change between two pipelines, even from missing to there.
    return asked ? result : compiledBefore.set(same, result)
  }

  return { compile, known }
}

/** What a configuration is compiled for. */
export type Compilable = Pick<PipelineRow, 'revision' | 'branch' | 'tag' | 'parameters' | 'options'>

function parseOnce(text: string) {
  const tree = parse(text)
  return { tree, usesValues: text.includes('pipeline.'), inSetup: isSetup(tree) }
}

function compileOnce(
  configHash: string,
  tree: Parsed,
  pipeline: PipelineRow,
  values: CompileInput['values'],
  orbs: Registry,
): CompiledPipeline {
  const options = JSON.parse(pipeline.options) as PipelineOptions
  const parameters = JSON.parse(pipeline.parameters) as Record<string, ParameterValue>
  const compiled = compileParsed(tree, {
    parameters,
    values,
    orbs,
    ...(options.job !== undefined && { job: options.job }),
    ...(options.scheduled !== undefined && { scheduled: options.scheduled }),
  })
  if (compiled.ok) {
    const text = withOrbs(compiled.text, compiled.orbs)
    if (!options.only || compiled.plan.setup) return { ok: true, plan: compiled.plan, text, configHash }
    const part = selectFrom(compiled.plan, options.only)
    if (part.ok) return { ok: true, plan: part.plan, text, configHash }
    return { ok: false, configHash, errors: [{ type: 'config', message: part.message }] }
  }
  return {
    ok: false,
    configHash,
    errors: compiled.problems.map((problem) => ({ type: 'config', message: sentence(problem) })),
  }
}

function missing({ name }: ProjectRow, { branch, tag }: PipelineRow, source: PipelineOptions['source']): string {
  const where = source?.ref ?? (tag === null ? `branch ${branch}` : `tag ${tag}`)
  return `config file ${source?.path ?? configPaths[1]} could not be located on ${where} in repository ${name}`
}

const failed = (type: PipelineError['type'], message: string): CompiledPipeline => ({
  ok: false,
  configHash: null,
  errors: [{ type, message }],
})

/** A problem as people read it in an errored pipeline: where, how the compiler got there, and what. */
export function sentence({ message, line, column, path }: Problem): string {
  const place = line === undefined ? '' : `line ${line}, column ${column ?? 1}: `
  return place + (path.length === 0 ? message : `${path.join(' / ')}: ${message}`)
}
