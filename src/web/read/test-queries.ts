import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getTestHistory } from '#contract/rh/quarantine.ts'
import { getTestOutput, listTests } from '#contract/rh/tests.ts'
import { callRh } from '#web/api/calls.ts'
import { pageQuery } from './pages.ts'

/** What tells one test from another. */
export interface TestName {
  readonly name: string
  readonly classname: string
  readonly file: string
}

/** A test as one word. */
export const testKey = ({ name, classname, file }: TestName): string => [classname, name, file].join('\n')

/** The tests of a job: those that failed, and a page of all. */
export const testsQuery = (id: string, page: string) =>
  queryOptions({
    queryKey: ['tests', id, page],
    queryFn: ({ signal }) => callRh(listTests, { params: { id }, query: pageQuery(page) }, { signal }),
  })

/** What a test of a job printed. */
export const testOutputQuery = (id: string, place: string) =>
  queryOptions({
    queryKey: ['test-output', id, place],
    queryFn: ({ signal }) => callRh(getTestOutput, { params: { id }, query: { place } }, { signal }),
    staleTime: Infinity,
  })

/** How one test of a project, given by its id, went before, newest first. */
export const testHistoryQuery = (project: string, { name, classname, file }: TestName) =>
  infiniteQueryOptions({
    queryKey: ['test-history', project, name, classname, file],
    queryFn: ({ signal, pageParam }) =>
      callRh(
        getTestHistory,
        { params: { id: project }, query: { ...pageQuery(pageParam), name, classname, file } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token ?? undefined,
  })
