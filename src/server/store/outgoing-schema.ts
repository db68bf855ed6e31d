/** How something that is to be sent stands, in whatever table it is. */
export interface Progress {
  /** `pending`, `delivered` or `dead`. */
  state: string
  attempts: number
  next_at: string
  status_code: number | null
  error: string | null
  finished_at: string | null
}

/** The tables of what goes out to others. */
export interface OutgoingSchema {
  webhooks: {
    id: string
    project_id: string
    name: string
    url: string
    verify_tls: 0 | 1
    secret: string
    events: string
    created_at: string
    updated_at: string
  }
  deliveries: {
    id: string
    webhook_id: string
    event_id: string
    event_type: string
    body: string
    state: string
    attempts: number
    next_at: string
    status_code: number | null
    error: string | null
    created_at: string
    finished_at: string | null
  }
  /** What came of each attempt at a delivery; the answer is only its beginning. */
  delivery_attempts: {
    id: string
    delivery_id: string
    url: string
    at: string
    took_ms: number
    status_code: number | null
    error: string | null
    answer: string | null
  }
  /** Addresses that get every ended build of a pipeline, as JSON. */
  notified: { pipeline_id: string; urls: string }
  /** Ended builds on their way to such addresses. */
  notices: {
    id: string
    job_id: string
    url: string
    body: string
    state: string
    attempts: number
    next_at: string
    status_code: number | null
    error: string | null
    created_at: string
    finished_at: string | null
  }
  /** What people are told: `mail` to a user, `browser` of a user, `chat` of a project; the subject is the id of that user or project. */
  messages: Progress & {
    id: string
    kind: string
    subject: string
    event_id: string
    title: string
    body: string
    created_at: string
  }
  /** One for each receiver for whom something waits. Whoever has taken it sends what is due in it, in order. */
  lanes: {
    id: string
    kind: string
    /** The id of a webhook, user or project, or an address. */
    subject: string
    /** Whom its requests burden: several lanes may lead to one host. */
    origin: string
    next_at: string
    taken_until: string | null
  }
  /** What a user wants to be told, in either way: `smart`, `all` or `none`. */
  notification_preferences: { user_id: string; email: string; browser: string; updated_at: string }
  /** Where the chat of a project hears of it: the address is sealed, as it lets anybody write there. */
  chats: { project_id: string; url: string; wish: string; created_at: string; updated_at: string }
}
