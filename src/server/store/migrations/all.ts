import type { Tx } from '#server/store/schema.ts'
import { up as road } from './0001-road.ts'
import { up as continuation } from './0002-continuation.ts'
import { up as schedules } from './0003-schedules.ts'
import { up as storage } from './0004-storage.ts'
import { up as tests } from './0005-tests.ts'
import { up as agents } from './0006-agents.ts'
import { up as ssh } from './0007-ssh.ts'
import { up as builds } from './0008-builds.ts'
import { up as people } from './0009-people.ts'
import { up as deliveries } from './0010-deliveries.ts'
import { up as providers } from './0011-providers.ts'
import { up as insights } from './0012-insights.ts'
import { up as gen1 } from './0013-gen1.ts'
import { up as gen2 } from './0014-gen2.ts'
import { up as events } from './0015-events.ts'
import { up as insightsMore } from './0016-insights-more.ts'
import { up as web } from './0017-web.ts'
import { up as agentLimits } from './0018-agent.ts'
import { up as gen2More } from './0020-gen2.ts'
import { up as unwantedKeys } from './0022-events.ts'
import { up as testOutputs } from './0023-web.ts'
import { up as attempts } from './0024-attempts.ts'
import { up as untoldPushes } from './0025-untold-pushes.ts'
import { up as toldPushes } from './0027-told-pushes.ts'

export interface Migration {
  readonly name: string
  readonly up: (tx: Tx) => Promise<void>
}

/** In order. A migration that was released is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001-road', up: road },
  { name: '0002-continuation', up: continuation },
  { name: '0003-schedules', up: schedules },
  { name: '0004-storage', up: storage },
  { name: '0005-tests', up: tests },
  { name: '0006-agents', up: agents },
  { name: '0007-ssh', up: ssh },
  { name: '0008-builds', up: builds },
  { name: '0009-people', up: people },
  { name: '0010-deliveries', up: deliveries },
  { name: '0011-providers', up: providers },
  { name: '0012-insights', up: insights },
  { name: '0013-gen1', up: gen1 },
  { name: '0014-gen2', up: gen2 },
  { name: '0015-events', up: events },
  { name: '0016-insights-more', up: insightsMore },
  { name: '0017-web', up: web },
  { name: '0018-agent', up: agentLimits },
  { name: '0020-gen2', up: gen2More },
  { name: '0022-events', up: unwantedKeys },
  { name: '0023-web', up: testOutputs },
  { name: '0024-attempts', up: attempts },
  { name: '0025-untold-pushes', up: untoldPushes },
  { name: '0027-told-pushes', up: toldPushes },
]
