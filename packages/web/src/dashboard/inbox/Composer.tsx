import { explainMissingVariable, type FilledReplyView } from "@trailbook/core/conversation"
import type { Form } from "@trailbook/http/request/formBody"
import { listUploads, toFormField } from "../formUploads.ts"
import { Icon, Link } from "../kit/elements.tsx"
import type { PageContext } from "../Page.ts"
import { parseFormErrors } from "../parts/FormErrors.tsx"

type ReplyList = ReadonlyArray<typeof FilledReplyView.Type>

export interface ComposerState {
  readonly form: Form
  /** The error message. */
  readonly wrong?: string | undefined
  /** A notice about inserted text that the staff member should review. */
  readonly notice?: string | undefined
}

/** Returns the state of a rejected form, or an empty state. */
export const parseComposer = ({ rejection }: Pick<PageContext, "rejection">): ComposerState => {
  const labels = { body: "Your message", attachments: "Files", until: "Until" }
  const { fields: [field], generalError: news } = parseFormErrors(rejection, labels)
  return { form: rejection?.form ?? {}, wrong: field?.[1] ?? news }
}

/** Fills in the selected saved reply for the guest and appends it to the typed text. */
export const insertSavedReply = (form: Form, replies: ReplyList, notice?: string): ComposerState => {
  const reply = replies.find(({ id }) => id === form["saved"])
  if (reply === undefined) return { form, wrong: "Choose a saved reply first." }
  const [name] = reply.missing
  return name === undefined
    ? { form: appendText(form, reply.text), notice }
    : { form, wrong: `The saved reply "${reply.title}" was not inserted. ${explainMissingVariable(name)}` }
}

/** Converts the form to operation input. */
export const toMessageInput = (form: Form) => ({
  body: form["body"] ?? "",
  kind: form["do"] === "note" ? "note" as const : "message" as const,
  attachments: listUploads(form),
  idempotency_key: form["key"]
})

/** Appends text to whatever has already been typed. */
export const appendText = (form: Form, text: string): Form => {
  const body = (form["body"] ?? "").trim()
  return { ...form, body: body === "" ? text : `${body}\n\n${text}` }
}

/** The message form. The button that submits it determines the action. */
export const Composer = ({ drafts = false, replies, to, state }: {
  /** The form's label, which names the recipient. */
  readonly to: string
  readonly state: ComposerState
  readonly replies: ReplyList
  /** Whether a draft can be generated, which requires a draft provider and a message to answer. */
  readonly drafts?: boolean
}) => {
  const uploads = listUploads(state.form)
  return (
    <form id="reply" class="reply stack" method="post" encType="multipart/form-data" data-once="">
      {state.wrong !== undefined && (
        <p class="note wrong" role="alert" id="body-wrong" tabIndex={-1} data-focus="">{state.wrong}</p>
      )}
      {state.notice !== undefined && <output class="note">{state.notice}</output>}
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      <p class="field">
        <label for="body">{to}</label>
        <textarea
          id="body"
          name="body"
          rows={4}
          maxLength={5000}
          dir="auto"
          required
          data-send=""
          aria-invalid={state.wrong === undefined ? undefined : "true"}
          aria-describedby={state.wrong === undefined ? undefined : "body-wrong"}
        >
          {state.form["body"] ?? ""}
        </textarea>
      </p>
      {uploads.length > 0 && (
        <fieldset class="kept">
          <legend class="small">Attachments</legend>
          {uploads.map((file, at) => {
            const [name, value] = toFormField(file, at)
            return (
              <label key={file.id} class="option">
                <input type="checkbox" name={name} value={value} checked />
                <span dir="auto">{file.name}</span>
              </label>
            )
          })}
        </fieldset>
      )}
      <div class="acts">
        <button class="btn main" name="do" value="send">
          <Icon name="send" />
          Send
        </button>
        <button class="btn" name="do" value="note">Save note</button>
        {drafts && (
          <button class="btn" name="do" value="draft" formNoValidate>
            <Icon name="sparkles" />
            Draft reply
          </button>
        )}
        <label class="btn file">
          <Icon name="paperclip" />
          <span class="sr">Attach photos or PDFs, up to 10 MB each</span>
          <input type="file" name="files" multiple accept="image/*,application/pdf" />
        </label>
      </div>
      <div class="acts end">
        {replies.length === 0
          ? <Link class="small" to="/inbox/saved">Create a saved reply</Link>
          : (
            <>
              <select name="saved" class="pick" aria-label="Saved reply">
                <option value="">Saved replies…</option>
                {replies.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
              </select>
              <button class="btn" name="do" value="insert" formNoValidate>Insert</button>
              <Link class="small" to="/inbox/saved">Edit</Link>
            </>
          )}
        <span class="soft small keys" aria-hidden="true">
          <kbd>⌘</kbd> <kbd>↵</kbd> to send
        </span>
      </div>
    </form>
  )
}
