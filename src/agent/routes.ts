/*
 * Importing the declarations themselves would cost an agent 25 MB and a quarter of a second for validators it never runs,
 * so their addresses are repeated here, and a test holds the two together.
 */

const base = '/api/rh/v1/agent'

/** Where the endpoints of `contract/agent.ts` and `contract/agent/` are found on a server. */
export const routes = {
  registerAgent: { method: 'POST', path: () => `${base}/register` },
  claimJobs: { method: 'POST', path: () => `${base}/claim` },
  heartbeat: { method: 'POST', path: () => `${base}/heartbeat` },
  reportSteps: { method: 'POST', path: (id: string) => `${base}/job/${id}/steps` },
  waitForNodes: { method: 'POST', path: (id: string) => `${base}/job/${id}/others` },
  appendLog: { method: 'PATCH', path: (id: string, index: number) => `${base}/job/${id}/step/${index}/log` },
  showLog: { method: 'POST', path: (id: string, index: number) => `${base}/job/${id}/step/${index}/window` },
  getSshVisitors: { method: 'GET', path: (id: string) => `${base}/job/${id}/ssh` },
  finishJob: { method: 'POST', path: (id: string) => `${base}/job/${id}/finish` },
  findCache: { method: 'POST', path: (id: string) => `${base}/job/${id}/cache/find` },
  readCache: { method: 'GET', path: (id: string, cache: string) => `${base}/job/${id}/cache/${cache}` },
  saveCache: { method: 'PUT', path: (id: string) => `${base}/job/${id}/cache` },
  listLayers: { method: 'GET', path: (id: string) => `${base}/job/${id}/workspace` },
  readLayer: { method: 'GET', path: (id: string, layer: string) => `${base}/job/${id}/workspace/${layer}` },
  saveLayer: { method: 'PUT', path: (id: string) => `${base}/job/${id}/workspace` },
  lendArchive: { method: 'POST', path: (id: string) => `${base}/job/${id}/lend` },
  handInCache: { method: 'POST', path: (id: string) => `${base}/job/${id}/hand-in/cache` },
  handInLayer: { method: 'POST', path: (id: string) => `${base}/job/${id}/hand-in/layer` },
  saveArtifacts: { method: 'PUT', path: (id: string) => `${base}/job/${id}/artifacts` },
  saveArtifact: { method: 'PUT', path: (id: string) => `${base}/job/${id}/artifact` },
  storeTests: { method: 'POST', path: (id: string, index: number) => `${base}/job/${id}/step/${index}/tests` },
  readTimings: { method: 'GET', path: (id: string) => `${base}/job/${id}/timings` },
  readQuarantine: { method: 'GET', path: (id: string) => `${base}/job/${id}/quarantine` },
  makeIdentityToken: { method: 'POST', path: (id: string) => `${base}/job/${id}/identity` },
  readFailedTests: { method: 'GET', path: (id: string) => `${base}/job/${id}/failed-tests` },
} as const
