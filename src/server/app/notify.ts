import { isFixed, isNews, type Wish, wants } from '#core/notification.ts'
import { type WorkflowEventWord, workflowEventWord } from '#core/status-words.ts'
import type { WorkflowStatus } from '#core/workflow-status.ts'
import type { EventRow } from '#server/store/events.ts'
import type { MessageRow } from '#server/store/messages.ts'
import { chatOf, endingsBefore, followersOf, listenerOf } from '#server/store/notifications.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { workflowWithNumber } from '#server/store/workflows.ts'
import { slugOf, workflowUrl } from './addresses.ts'
import type { App } from './app.ts'
import type { Told } from './dispatch.ts'
import { dueNow } from './outgoing.ts'
import { lastLevel } from './provider-access.ts'
import type { World } from './world.ts'

/** What was decided by nobody: mail that matters, and a browser that is silent until it is asked to speak. */
export const usualWishes = { email: 'smart', browser: 'none' } as const

interface News {
  readonly event: EventRow
  readonly status: WorkflowEventWord
  readonly before: WorkflowEventWord | undefined
  /** Who made the one before. */
  readonly madeBefore: string | null
  readonly title: string
  readonly body: string
}

/** What people must be told because a workflow ended: followers and whoever made the pipeline, each as they wish, and the project's chat. */
export async function messagesOf(app: App, event: EventRow): Promise<readonly Told[]> {
  const { world } = app
  const status = event.job_id === null ? workflowEventWord[event.status as WorkflowStatus] : undefined
  if (status === undefined) return []
  const project = await projectById(world.db, { id: event.project_id })
  const pipeline = await pipelineById(world.db, { id: event.pipeline_id })
  if (!project || !pipeline) return []
  const news = await newsOf(app, event, status, project, pipeline)
  if (!news) return []
  return [...(await chatMessage(world, project, news)), ...(await userMessages(world, project, pipeline, news))]
}

/** How far back the workflow before is looked for. */
const pipelinesLookedAt = 20

async function newsOf(
  { world, findRevision }: App,
  event: EventRow,
  status: WorkflowEventWord,
  project: ProjectRow,
  pipeline: PipelineRow,
): Promise<News | undefined> {
  const workflow = await workflowWithNumber(world.db, { id: event.workflow_id })
  if (!workflow) return undefined
  const earlier =
    pipeline.branch === null
      ? []
      : await endingsBefore(world.db, {
          project: project.id,
          branch: pipeline.branch,
          name: workflow.name,
          number: pipeline.number,
          most: pipelinesLookedAt,
        })
  // What was canceled says nothing about the code.
  const last = earlier.find((row) => !['canceled', undefined].includes(workflowEventWord[row.status as WorkflowStatus]))
  const before = last && workflowEventWord[last.status as WorkflowStatus]
  const revision = await findRevision(project, pipeline.revision).catch(() => undefined)
  const word = isFixed({ status, before }) ? 'fixed' : status
  const where = pipeline.branch ?? pipeline.tag ?? pipeline.revision.slice(0, 12)
  const title = oneLine(`${slugOf(world, project)} ${where}: ${workflow.name} ${word}`)
  const commit = revision?.commit
  const lines = [
    `${workflow.name} of pipeline ${pipeline.number}: ${word}`,
    `Project: ${slugOf(world, project)}, ${pipeline.tag === null ? 'branch' : 'tag'} ${where}`,
    `Commit: ${pipeline.revision.slice(0, 12)} ${oneLine(commit?.subject ?? '')}${commit ? ` (${oneLine(commit.author.name)})` : ''}`,
    workflowUrl(world, project, pipeline.number, workflow.id),
  ]
  return { event, status, before, madeBefore: last?.actor_id ?? null, title, body: lines.join('\n') }
}

const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)

async function chatMessage(world: World, project: ProjectRow, news: News): Promise<readonly Told[]> {
  const chat = await chatOf(world.db, { project: project.id })
  if (!chat || (chat.wish === 'smart' && !isNews(news))) return []
  return [{ message: messageRow(world, 'chat', project.id, news), url: world.seal.open(chat.url) }]
}

const followersAtOnce = 500

type Listener = Awaited<ReturnType<typeof followersOf>>[number]

/** Who follows a project may have lost it since. Of providers what they last said counts: nobody waits here for their answer. */
function maySee(world: World, project: ProjectRow, { admin, role, level, expires_at }: Listener): boolean {
  if (admin === 1 || role !== null || project.public === 1) return true
  return level !== null && lastLevel({ level, expires_at: expires_at ?? '' }, world.now()) !== 'none'
}

async function userMessages(
  world: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  news: News,
): Promise<readonly Told[]> {
  const told: Told[] = []
  const tell = (user: string, kind: 'mail' | 'browser', wish: Wish) => {
    const own = { isOwn: user === pipeline.actor_id, wasOwn: user === news.madeBefore }
    if (wants(wish, { ...news, ...own })) told.push({ message: messageRow(world, kind, user, news), url: undefined })
  }
  const tellBoth = (listener: Listener) => {
    if (!maySee(world, project, listener)) return
    const { user_id, email, browser } = listener
    if (world.terms.mail) tell(user_id, 'mail', (email ?? usualWishes.email) as Wish)
    tell(user_id, 'browser', (browser ?? usualWishes.browser) as Wish)
  }
  const about = { project: project.id, organization: project.organization_id }
  let isTold = false
  for (let after = ''; ;) {
    const followers = await followersOf(world.db, { ...about, after, most: followersAtOnce })
    for (const follower of followers) {
      tellBoth(follower)
      isTold ||= follower.user_id === pipeline.actor_id
    }
    if (followers.length < followersAtOnce) break
    after = followers.at(-1)?.user_id ?? ''
  }
  if (pipeline.actor_id !== null && !isTold) {
    const actor = await listenerOf(world.db, { ...about, user: pipeline.actor_id })
    if (actor) tellBoth(actor)
  }
  return told
}

function messageRow(world: World, kind: 'chat' | 'mail' | 'browser', subject: string, news: News): MessageRow {
  const at = world.now()
  const { event, title, body } = news
  // A browser is not called: it comes and looks.
  const progress = kind === 'browser' ? { ...dueNow(at), state: 'delivered', finished_at: at } : dueNow(at)
  return { id: world.newId(), kind, subject, event_id: event.id, title, body, created_at: at, ...progress }
}
