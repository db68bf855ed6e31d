/** The step cannot be done for a reason that lies in the job: told in its log, and the job goes on as after any failed step. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}
