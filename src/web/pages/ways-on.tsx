import { AddProject } from './add-project.tsx'
import { PushFolder } from './push-folder.tsx'

interface Props {
  /** Whether the caller has nothing of their own here yet. */
  readonly first: boolean
  readonly none: boolean
}

/** The three ways to bring a project here: laid out for somebody new, folded away for everybody else. */
export function WaysOn({ first, none }: Props) {
  return (
    <details className="ways" open={first}>
      <summary>
        <h2>{none ? 'No project yet: three ways to go on' : 'Add a project'}</h2>
      </summary>
      <div className="columns">
        <PushFolder />
        <AddProject />
        <section>
          <h3>Connect a provider</h3>
          <p>
            When your repositories live at a source-control provider, connect it, and every push there makes a pipeline
            here. The settings of the server say how; nothing else needs it, so it can wait.
          </p>
        </section>
      </div>
    </details>
  )
}
