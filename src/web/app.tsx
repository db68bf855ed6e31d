import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { BuildPage } from './pages/build-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { JobPage } from './pages/job-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PipelinePage } from './pages/pipeline-page.tsx'
import { PipelinesPage } from './pages/pipelines-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { WorkflowPage } from './pages/workflow-page.tsx'
import { Shell } from './parts/shell.tsx'
import { newQueryClient } from './read/query-client.ts'

/** All pages and their addresses, which others link to. */
export function App() {
  const [queries] = useState(newQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Routes>
          <Route path="/sign-in" element={<SignInPage />} />
          <Route element={<Shell />}>
            <Route path="/" element={<HomePage />} />
            <Route path="/pipelines/:provider/:org/:repo" element={<PipelinesPage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number" element={<PipelinePage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number/workflows/:workflow" element={<WorkflowPage />} />
            <Route path="/pipelines/:provider/:org/:repo/:number/workflows/:workflow/jobs/:job" element={<JobPage />} />
            <Route path="/:provider/:org/:repo/:number" element={<BuildPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
