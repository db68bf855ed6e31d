import { statementForOne } from './statement.ts'

export const jobById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id),
)

export const jobByNumber = statementForOne((db, at: { project: string; number: number }) =>
  db.selectFrom('jobs').selectAll().where('project_id', '=', at.project).where('number', '=', at.number),
)
