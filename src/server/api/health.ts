import type { FastifyInstance } from 'fastify'
import type { App } from '#server/app/app.ts'
import { type Gauge, type Gauges, gauges } from '#server/app/gauges.ts'

/** Whether the process lives, whether it can work, and how it is doing. */
export function serveHealth(http: FastifyInstance, app: App, isDraining: () => boolean): void {
  http.get('/healthz', async () => ({ status: 'ok' }))
  http.get('/readyz', async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' })
    try {
      await app.world.db.selectFrom('migrations').select('name').limit(1).execute()
      return { status: 'ready' }
    } catch (error) {
      app.world.log.error('The database does not answer', { error: String(error) })
      return reply.code(503).send({ status: 'no database' })
    }
  })
  http.get('/metrics', async (_request, reply) =>
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(exposition(await gauges(app))),
  )
}

/** The text form that Prometheus reads. */
function exposition(values: Gauges): string {
  const memory = process.memoryUsage()
  const all: Gauges = {
    ...values,
    process_resident_memory_bytes: ['Resident memory', memory.rss],
    process_heap_bytes: ['Heap in use', memory.heapUsed],
    process_uptime_seconds: ['Seconds since the start', process.uptime()],
    process_cpu_seconds_total: ['Processor time', (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
  }
  return Object.entries(all)
    .map(([name, [help, value]]) => {
      const type = name.endsWith('_total') ? 'counter' : 'gauge'
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples(name, value)}`
    })
    .join('')
}

function samples(name: string, value: Gauge): string {
  if (typeof value === 'number') return `${name} ${value}\n`
  return [...value.values].map(([of, number]) => `${name}{${value.label}="${escaped(of)}"} ${number}\n`).join('')
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
