import { endpoint, OpenMap } from '#contract/endpoint.ts'

export const getDescription = endpoint({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Read this description of the whole service, in OpenAPI 3.1',
  access: 'anyone',
  response: OpenMap,
})
