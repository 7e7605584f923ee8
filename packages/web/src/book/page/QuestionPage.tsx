import type { Page } from "../../ui/Document.tsx"
import { ErrorSummary, HiddenFields, TextAreaField } from "../../ui/Field.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import type { OrgRenderContext } from "../../ui/RenderContext.ts"
import type { ContactFormValues } from "../BookingSelection.ts"
import { type BookingFormErrors, HoneypotField, makeContactFields } from "../contactFields.tsx"
import { bookPageOptions } from "../OfferingPageProps.tsx"

/** Values typed into the question form. */
export interface QuestionFormState extends Pick<ContactFormValues, "name" | "email" | "key"> {
  readonly body: string
}

/** Renders the form that a visitor uses to ask the outfitter a question before booking. */
export const questionPage = (
  context: OrgRenderContext,
  { errors, news, state, typed }: {
    readonly typed: QuestionFormState
    readonly errors: BookingFormErrors
    readonly news: string | undefined
    readonly state: string
  }
): Page => {
  const { org, text: { book } } = context
  const { ask } = book
  const field = makeContactFields(book, typed, errors)
  return {
    title: ask.title(org.name),
    ...bookPageOptions,
    ...(typed.email === "" ? { isCacheable: true as const } : {}),
    body: (
      <Layout shown={context}>
        <div class="stack tight">
          <h1 dir="auto">{ask.title(org.name)}</h1>
          <p class="soft">{ask.lead}</p>
          {org.reply_window !== null && <p class="soft" dir="auto">{ask.window(org.reply_window)}</p>}
        </div>
        <form
          class="card pad stack narrow"
          method="post"
          action={href(context, `/book/${org.slug}/question`)}
          data-once=""
        >
          <ErrorSummary title={book.problems} errors={Object.entries(errors)} />
          {news !== undefined && <p class="note" role="alert" tabIndex={-1} data-focus="">{news}</p>}
          {field("name")}
          {field("email")}
          <TextAreaField
            name="body"
            label={ask.body}
            value={typed.body}
            error={errors.body}
            rows={5}
            maxLength={5000}
          />
          <HiddenFields values={{ key: typed.key }} />
          <HoneypotField label={book.trap} state={state} />
          <button class="btn">{ask.send}</button>
        </form>
        <p class="small">
          <a href={href(context, `/book/${org.slug}`)}>{ask.back}</a>
        </p>
      </Layout>
    )
  }
}

export const questionSentPage = (context: OrgRenderContext): Page => {
  const { org, text: { book: { ask } } } = context
  return {
    title: `${ask.sent} · ${org.name}`,
    frames: "*",
    style: "book",
    body: (
      <Layout shown={context}>
        <div class="banner">
          <span class="tick" aria-hidden="true">✓</span>
          <div class="stack tight">
            <h1>{ask.sent}</h1>
            <p class="soft">{ask.sentText}</p>
            {org.reply_window !== null && <p class="soft" dir="auto">{ask.window(org.reply_window)}</p>}
          </div>
        </div>
        <p class="acts">
          <a class="btn" href={href(context, `/book/${org.slug}`)}>{ask.back}</a>
        </p>
      </Layout>
    )
  }
}
