import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type SearchHit, searchKinds } from '#contract/rh/search.ts'
import { searchPage } from '#web/address.ts'
import { Trouble } from '#web/parts/trouble.tsx'
import { fewQuery } from '#web/read/search-queries.ts'
import { useSettled } from '#web/read/use-settled.ts'
import { hitAddress, hitText, kindNames } from './hit-address.ts'

/** Finds something as it is typed: arrows choose, Enter goes there, Escape closes. */
export function SearchDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const words = useSettled(useDeferredValue(text).trim(), 120)
  const { data, error, isFetching } = useQuery(fewQuery(words))
  const hits = words === '' ? [] : searchKinds.flatMap((kind) => data?.items.filter((hit) => hit.kind === kind) ?? [])
  useEffect(() => dialog.current?.showModal(), [])

  const go = (to: string) => {
    close()
    void navigate(to)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (hits.length > 0) setChosen((at) => (at + step + hits.length) % hits.length)
    } else if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault()
      const hit = hits[chosen]
      go(hit ? hitAddress(hit) : searchPage(text.trim()))
    }
  }
  return (
    <dialog ref={dialog} className="search-dialog" aria-label="Search" onClose={close} onCancel={close}>
      <input
        autoFocus
        role="combobox"
        aria-label="Search projects, branches, pipelines and tests"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={hits[chosen] ? `${id}-${chosen}` : undefined}
        placeholder="Project, branch, #number, commit, subject, test"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
      />
      <Trouble error={error} />
      <Hits id={id} hits={hits} chosen={chosen} go={go} />
      <p className="soft small" role="status">
        {statusText(words, hits.length, isFetching)}
      </p>
      {words !== '' && (
        <button type="button" className="quiet" onClick={() => go(searchPage(words))}>
          Show everything that was found
        </button>
      )}
    </dialog>
  )
}

function statusText(words: string, found: number, busy: boolean): string {
  if (words === '') return 'Looks into the projects that you follow.'
  if (busy && found === 0) return 'Looking…'
  return found === 0 ? `Nothing has the words “${words}”.` : `${found} found. Arrows choose, Enter opens.`
}

interface HitsProps {
  readonly id: string
  readonly hits: readonly SearchHit[]
  readonly chosen: number
  readonly go: (to: string) => void
}

function Hits({ id, hits, chosen, go }: HitsProps) {
  return (
    <div id={`${id}-hits`} role="listbox" aria-label="Found" className="hits">
      {hits.map((hit, i) => (
        <div
          key={`${hit.kind} ${hit.project_slug} ${hit.name} ${hit.pipeline_number ?? ''}`}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === chosen}
          className="hit"
          onClick={() => go(hitAddress(hit))}
        >
          <span className="soft small kind">{hits[i - 1]?.kind === hit.kind ? '' : kindNames[hit.kind]}</span>
          <span className="hit-name">{hitText(hit)}</span>
          <span className="soft small">{hit.project_slug.split('/').slice(1).join('/')}</span>
        </div>
      ))}
    </div>
  )
}
