import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { ArtifactEntry } from '#contract/rh/artifacts.ts'
import { type Folder, foldersOf, previewOf, sizeText } from '#web/artifact-folders.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { artifactsQuery } from '#web/read/queries.ts'

interface Props {
  readonly job: string
  /** Whether several nodes may have kept files of the same name. */
  readonly many: boolean
}

/** The files that a job kept, as a tree; one of them may be looked at beside it, and is named by the address. */
export function ArtifactTree({ job, many }: Props) {
  const [search] = useSearchParams()
  const files = useQuery(artifactsQuery(job))
  const shown = search.get('file')
  return (
    <QueryView query={files}>
      {({ items, next_page_token: next }) => {
        if (items.length === 0) return <p className="empty">This job kept no files</p>
        const file = items.find((one) => keyOf(one) === shown)
        const named = items.map((one) => ({ ...one, path: many ? `node ${one.node_index}/${one.path}` : one.path }))
        return (
          <div className="artifacts">
            <div className="tree panel">
              <Branch folder={foldersOf(named)} shown={shown} />
              {next !== null && <p className="soft small">These are the first {items.length} files</p>}
            </div>
            {file ? <Preview file={file} /> : <p className="empty preview-none">Choose a file to look at it here</p>}
          </div>
        )
      }}
    </QueryView>
  )
}

const keyOf = ({ node_index: node, url }: ArtifactEntry): string => `${node}:${pathOf(url)}`

/** Below the address of this page, whatever the server is called from elsewhere. */
const pathOf = (url: string): string => URL.parse(url, window.location.origin)?.pathname ?? '/'

function Branch({ folder, shown }: { readonly folder: Folder<ArtifactEntry>; readonly shown: string | null }) {
  return (
    <ul>
      {folder.folders.map((one) => (
        <li key={`folder ${one.name}`}>
          <details open>
            <summary>{one.name}</summary>
            <Branch folder={one} shown={shown} />
          </details>
        </li>
      ))}
      {folder.files.map(({ name, file }) => (
        <li key={keyOf(file)} className="file">
          {previewOf(file.path, file.size) ? (
            <Link
              to={`?view=artifacts&file=${encodeURIComponent(keyOf(file))}`}
              aria-current={keyOf(file) === shown ? 'true' : undefined}
              preventScrollReset
            >
              {name}
            </Link>
          ) : (
            <a href={pathOf(file.url)} download title="Download: it cannot be shown here">
              {name}
            </a>
          )}
          <span className="soft small">{sizeText(file.size)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Shows a file in a frame that can do nothing: no scripts, no forms, no way to the page around it. */
function Preview({ file }: { readonly file: ArtifactEntry }) {
  const path = pathOf(file.url)
  return (
    <div className="preview panel">
      <p className="row small">
        <code>{file.path}</code> <span className="soft">{sizeText(file.size)}</span>
        <a href={path} download>
          Download
        </a>
      </p>
      {previewOf(file.path, file.size) === 'image' ? (
        <img src={path} alt={file.path} />
      ) : (
        <iframe src={path} sandbox="" title={file.path} referrerPolicy="no-referrer" />
      )}
    </div>
  )
}
