import type { readFailedTests, readQuarantine, readTimings, storeTests } from '#contract/agent/tests.ts'
import type { makeIdentityToken } from '#contract/agent/identity.ts'
import type { Input, Output } from '#contract/endpoint.ts'
import { routes } from '#agent/routes.ts'
import type { Wire } from '#agent/wire.ts'

const patience = 30_000
type TimingType = Input<typeof readTimings>['query']['type']

/** What can be said and asked by the steps of one job, about its tests mostly, with the token of that job; each once. */
export function serverTests(wire: Wire, id: string, token: string) {
  const ask = { token, body: [], timeoutMs: patience }
  return {
    storeTests: (index: number, body: Input<typeof storeTests>['body'], signal?: AbortSignal) =>
      wire.send({
        method: routes.storeTests.method,
        path: routes.storeTests.path(id, index),
        token,
        body: [Buffer.from(JSON.stringify(body))],
        timeoutMs: patience,
        signal,
      }) as Promise<Output<typeof storeTests>>,

    timings: (type: TimingType, signal?: AbortSignal) =>
      wire.send({
        ...ask,
        method: routes.readTimings.method,
        path: `${routes.readTimings.path(id)}?type=${type}`,
        signal,
      }) as Promise<Output<typeof readTimings>>,

    quarantine: (signal?: AbortSignal) =>
      wire.send({
        ...ask,
        method: routes.readQuarantine.method,
        path: routes.readQuarantine.path(id),
        signal,
      }) as Promise<Output<typeof readQuarantine>>,

    identityToken: (audience: string | undefined, signal?: AbortSignal) =>
      wire.send({
        method: routes.makeIdentityToken.method,
        path: routes.makeIdentityToken.path(id),
        token,
        body: [Buffer.from(JSON.stringify({ audience }))],
        timeoutMs: patience,
        signal,
      }) as Promise<Output<typeof makeIdentityToken>>,

    failedTests: (signal?: AbortSignal) =>
      wire.send({
        ...ask,
        method: routes.readFailedTests.method,
        path: routes.readFailedTests.path(id),
        signal,
      }) as Promise<Output<typeof readFailedTests>>,
  }
}
