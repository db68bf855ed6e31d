import { type TProperties, Type } from 'typebox'

const Segment = Type.String({ minLength: 1 })

const project = { vcs: Segment, org: Segment, repo: Segment }

/** Parameters of a path below a project, and whatever else the path names. */
export const projectParams = <P extends TProperties>(others: P) => Type.Object({ ...project, ...others })

/** Parameters of a path that ends with a project. */
export const ProjectParams = Type.Object(project)

/** Parameters of a path below one build. */
export const BuildParams = projectParams({ build_num: Type.Integer({ minimum: 1 }) })

/** Parameters of a path below a branch, whose name is the rest of the path, with its slashes. */
export const BranchParams = projectParams({ '*': Type.String({ title: 'branch', minLength: 1 }) })
