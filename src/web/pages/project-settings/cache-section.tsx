import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteCaches } from '#contract/rh/caches.ts'
import { callRh } from '#web/api/calls.ts'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { cachesQuery } from '#web/read/housekeeping-queries.ts'
import { sizeText } from '#web/artifact-folders.ts'
import type { SectionProps } from './section-props.ts'

/** The caches of a project, and how to be rid of them. */
export function CacheSection({ access, refused }: SectionProps) {
  const caches = useInfiniteQuery({ ...cachesQuery(access.project_id), enabled: access.may_inspect })
  const [prefix, setPrefix] = useState('')
  const forget = (beginning: string) => () =>
    callRh(deleteCaches, {
      params: { id: access.project_id },
      query: beginning === '' ? {} : { prefix: beginning },
    })
  return (
    <>
      <SectionHead
        name="Caches"
        about={
          <>
            What jobs kept with <code>save_cache</code>, newest first. Forgetting a cache costs the next job the time to
            make it again, and nothing else.
          </>
        }
        refused={refused}
      />
      {access.may_inspect && (
        <>
          <div className="bar-form">
            <TextField
              label="Keys that begin with"
              hint="Empty: all caches of this project."
              value={prefix}
              onText={setPrefix}
            />
            <ConfirmedAction
              name="Forget"
              what={prefix === '' ? 'all caches' : `caches that begin with ${prefix}`}
              question={prefix === '' ? 'Forget all caches?' : `Forget all caches whose key begins with ${prefix}?`}
              act={forget(prefix)}
              refused={refused}
            />
          </div>
          <PagedTable
            list={caches}
            more="Older caches"
            caption="Caches"
            empty="No cache yet. Jobs keep one with the steps restore_cache and save_cache."
            keyOf={({ id }) => id}
            columns={[
              { name: 'Key', cell: ({ key }) => <code>{key}</code> },
              { name: 'Size', number: true, cell: ({ size }) => sizeText(size) },
              { name: 'Kept', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Until', cell: ({ expires_at }) => <When at={expires_at} /> },
            ]}
          />
        </>
      )}
    </>
  )
}
