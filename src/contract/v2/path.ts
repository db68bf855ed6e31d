import { type TProperties, Type } from 'typebox'

const Segment = Type.String({ minLength: 1 })

const slug = { provider: Segment, org: Segment, repo: Segment }

/** Parameters of a path below a project: the three segments of its slug, and whatever else the path names. */
export const projectParams = <P extends TProperties>(others: P) => Type.Object({ ...slug, ...others })

/** Parameters of a path that ends with a project. */
export const ProjectParams = Type.Object(slug)

/** Parameters of a path below an organization: the two segments of its slug. */
export const OrgParams = Type.Object({ provider: Segment, org: Segment })

/** Parameters of a path below an organization that is named by its id, or by its slug in one piece. */
export const orgNameParams = <P extends TProperties>(others: P) => Type.Object({ organization: Segment, ...others })

/** Parameters of a path that ends with such an organization. */
export const OrgNameParams = orgNameParams({})

/** Query parameters of every list; an empty token means the first page. */
export const paging = { 'page-token': Type.Optional(Type.String()) }

/** Query of a list that takes nothing but the token of its page. */
export const PageQuery = Type.Object(paging)
