import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Chat, deleteChat, getChat, setChat } from '#contract/rh/notifications.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { useAction } from '#web/read/use-action.ts'
import { answerText, DeliveryState } from './delivery-state.tsx'
import type { SectionProps } from './section-props.ts'

const wishes: Readonly<Record<Chat['wish'], string>> = {
  smart: 'What broke, and what is well again',
  all: 'Every workflow that ended',
}

/** The chat that hears of a project. */
export function ChatSection({ access, refused }: SectionProps) {
  const params = { id: access.project_id }
  const chat = useQuery({
    queryKey: ['chat', access.project_id],
    queryFn: ({ signal }) => callRh(getChat, { params }, { signal }),
    enabled: access.may_inspect,
    // Nobody rings when a chat answers.
    refetchInterval: 3_000,
  })
  return (
    <>
      <SectionHead
        name="Chat"
        about={
          <>
            A room that hears how workflows end. Make an incoming webhook there (Slack, Mattermost, Rocket.Chat, Zulip
            and others have one) and enter its address: it is sent <code>{'{"text": …}'}</code>, and told so at once.
          </>
        }
        refused={refused}
      />
      {access.may_inspect && (
        <QueryView query={chat}>
          {({ chat: found }) => (
            <>
              {found === null ? (
                <p className="empty">No chat hears of this project yet.</p>
              ) : (
                <Heard chat={found} project={access.project_id} refused={refused} />
              )}
              <ChatForm key={found?.updated_at ?? ''} project={access.project_id} chat={found} refused={refused} />
            </>
          )}
        </QueryView>
      )}
    </>
  )
}

interface Props {
  readonly project: string
  readonly refused: string | undefined
}

function Heard({ chat, project, refused }: Props & { readonly chat: Chat }) {
  return (
    <div className="panel one-line">
      <p>
        <strong>{chat.host}</strong> hears {wishes[chat.wish].toLowerCase()}.{' '}
        <span className="soft small">
          Set <When at={chat.updated_at} />
        </span>
        {chat.last !== null && (
          <>
            <br />
            Told last <When at={chat.last.created_at} />: <DeliveryState {...chat.last} />{' '}
            <span className="soft small">{answerText(chat.last)}</span>
          </>
        )}
      </p>
      <ConfirmedAction
        name="Remove"
        what={`the chat at ${chat.host}`}
        question={`Tell ${chat.host} nothing more?`}
        act={() => callRh(deleteChat, { params: { id: project } })}
        refused={refused}
      />
    </div>
  )
}

function ChatForm({ project, chat, refused }: Props & { readonly chat: Chat | null }) {
  const [url, setUrl] = useState('')
  const [wish, setWish] = useState<Chat['wish']>(chat?.wish ?? 'smart')
  const save = useAction(() => callRh(setChat, { params: { id: project }, body: { url, wish } }))
  return (
    <ActionForm
      name="Chat"
      button={chat === null ? 'Let it hear' : 'Replace it'}
      action={save}
      refused={refused}
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField
          label="Address of the incoming webhook"
          hint="Kept sealed and never shown again: whoever knows it may write there."
          type="url"
          required
          placeholder="https://"
          value={url}
          onText={setUrl}
        />
        <ChoiceField label="It hears" value={wish} choices={wishes} onChoice={setWish} />
      </div>
    </ActionForm>
  )
}
