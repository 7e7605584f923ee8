import type { GuestPageView } from "@trailbook/core/operation"
import { href, isDisplayableImage } from "../ui/href.ts"
import type { OrgRenderContext } from "../ui/RenderContext.ts"

/** A message that was not sent, and why. */
export interface UnsentMessage {
  readonly body: string
  readonly error: string
}

/** The messages about the booking, and the form for a new message. */
export const MessageList = ({ done, formKey, page, shown, unsent }: {
  readonly shown: OrgRenderContext
  readonly page: GuestPageView
  readonly formKey: string
  readonly unsent: UnsentMessage | undefined
  readonly done: "sent" | "asked" | undefined
}) => {
  const { text: { book, guest } } = shown
  const { booking, is_erased, is_whole, messages, org } = page
  const pageUrl = (path: string) => href(shown, `/b/${booking.handle}/${path}`)
  return (
    <section class="card pad stack" id="messages" aria-labelledby="messages-title">
      <div class="stack tight">
        <h2 id="messages-title">{guest.messages}</h2>
        {org.reply_window !== null && <p class="soft small" dir="auto">{book.ask.window(org.reply_window)}</p>}
      </div>
      {done !== undefined && <output class="note">{guest[done]}</output>}
      {is_erased ? <p class="soft">{guest.erasedText}</p> : (
        <>
          <p class="soft small">{is_whole ? guest.whole(org.name) : guest.part}</p>
          {messages.length === 0 ?
            <p class="soft">{guest.noMessages}</p> :
            (
              <ol class="thread" data-read={messages.some(({ is_unread }) => is_unread) ? pageUrl("read") : undefined}>
                {messages.map((message) => (
                  <MessageBubble key={message.id} shown={shown} page={page} message={message} />
                ))}
              </ol>
            )}
          {!is_whole && (
            <form method="post" action={pageUrl("link")}>
              <button class="btn ghost">{guest.ask}</button>
            </form>
          )}
          <form
            class="stack"
            method="post"
            action={`${pageUrl("messages")}#messages`}
            encType="multipart/form-data"
            data-once=""
          >
            {unsent !== undefined && <p class="note wrong" role="alert" id="unsent">{unsent.error}</p>}
            <input type="hidden" name="key" value={formKey} />
            <p class="field">
              <label for="body">{guest.write(org.name)}</label>
              <textarea
                id="body"
                name="body"
                rows={4}
                maxLength={5000}
                required
                aria-invalid={unsent === undefined ? undefined : "true"}
                aria-describedby={unsent === undefined ? undefined : "unsent"}
                defaultValue={unsent?.body ?? ""}
              />
            </p>
            <p class="field">
              <label for="files">{guest.files}</label>
              <input id="files" type="file" name="files" multiple accept="image/*,application/pdf" />
            </p>
            <p>
              <button class="btn">{guest.send}</button>
            </p>
          </form>
        </>
      )}
    </section>
  )
}

const MessageBubble = ({ message, page, shown }: {
  readonly shown: OrgRenderContext
  readonly page: GuestPageView
  readonly message: GuestPageView["messages"][number]
}) => {
  const { text: { guest } } = shown
  const { booking, org } = page
  const author = { guest: guest.you, outfitter: org.name, service: guest.automatic(org.name) }[message.from]
  return (
    <li class={message.from === "guest" ? "message own" : "message"}>
      <div class="bubble">
        {message.subject !== "" && <b dir="auto">{message.subject}</b>}
        <span class="words" dir="auto">{message.body}</span>
        {message.attachments.length > 0 && (
          <span class="files">
            {message.attachments.map(({ id, name, type }) => {
              const url = href(shown, `/b/${booking.handle}/files/${id}`)
              return (
                <a key={id} href={url}>
                  {isDisplayableImage(type)
                    ? <img src={url} alt={guest.photo(name)} loading="lazy" />
                    : <span dir="auto">{name}</span>}
                </a>
              )
            })}
          </span>
        )}
      </div>
      <span class="small">
        <span dir="auto">{author}</span> ·{" "}
        <time dateTime={message.created_at}>{shown.format.momentWithZone(message.created_at)}</time>
      </span>
    </li>
  )
}
