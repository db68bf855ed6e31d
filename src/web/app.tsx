import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { lazyPage } from './lazy-page.ts'
import { HomePage } from './pages/home-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { Shell } from './parts/shell.tsx'
import { projectsQuery, sessionQuery } from './read/queries.ts'
import { newQueryClient } from './read/query-client.ts'

const AllPipelinesPage = lazyPage(async () => (await import('./pages/all-pipelines-page.tsx')).AllPipelinesPage)
const PipelinesPage = lazyPage(async () => (await import('./pages/pipelines-page.tsx')).PipelinesPage)
const PipelinePage = lazyPage(async () => (await import('./pages/pipeline-page.tsx')).PipelinePage)
const WorkflowPage = lazyPage(async () => (await import('./pages/workflow-page.tsx')).WorkflowPage)
const JobPage = lazyPage(async () => (await import('./pages/job-page.tsx')).JobPage)
const BuildPage = lazyPage(async () => (await import('./pages/build-page.tsx')).BuildPage)
const ProjectSettingsPage = lazyPage(
  async () => (await import('./pages/project-settings/project-settings-page.tsx')).ProjectSettingsPage,
)
const InsightsPage = lazyPage(async () => (await import('./pages/insights/insights-page.tsx')).InsightsPage)
const RunPage = lazyPage(async () => (await import('./pages/run/run-page.tsx')).RunPage)
const OrganizationsPage = lazyPage(
  async () => (await import('./pages/organization/organizations-page.tsx')).OrganizationsPage,
)
const OrganizationPage = lazyPage(
  async () => (await import('./pages/organization/organization-page.tsx')).OrganizationPage,
)
const InstallationPage = lazyPage(
  async () => (await import('./pages/organization/installation-page.tsx')).InstallationPage,
)
const UserPage = lazyPage(async () => (await import('./pages/user/user-page.tsx')).UserPage)
const SearchPage = lazyPage(async () => (await import('./pages/search/search-page.tsx')).SearchPage)

/** All pages and their addresses, which others link to. All but the first are loaded when they are first looked at. */
export function App() {
  const [queries] = useState(() => {
    const made = newQueryClient()
    // Asked for before anything is drawn, which takes as long as an answer.
    void made.prefetchQuery(sessionQuery)
    if (window.location.pathname === '/') void made.prefetchInfiniteQuery(projectsQuery)
    return made
  })
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Routes>
          <Route path="/sign-in" element={<SignInPage />} />
          <Route element={<Shell />}>
            <Route path="/" element={<HomePage />} />
            <Route path="/pipelines" element={<AllPipelinesPage />} />
            <Route path="/pipelines/:provider/:org/:repo" element={<PipelinesPage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number" element={<PipelinePage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number/workflows/:workflow" element={<WorkflowPage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number/workflows/:workflow/jobs/:job" element={<JobPage />} />
            <Route path="/projects/:provider/:org/:repo/settings/:section?" element={<ProjectSettingsPage />} />
            <Route path="/projects/:provider/:org/:repo/insights" element={<InsightsPage />} />
            <Route path="/projects/:provider/:org/:repo/run" element={<RunPage />} />
            <Route path="/organizations" element={<OrganizationsPage />} />
            <Route path="/organizations/:id/:section?" element={<OrganizationPage />} />
            <Route path="/installation/:section?" element={<InstallationPage />} />
            <Route path="/user/:section?" element={<UserPage />} />
            <Route path="/search" element={<SearchPage />} />
            <Route path="/:provider/:org/:repo/:number" element={<BuildPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
