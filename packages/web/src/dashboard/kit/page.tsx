/**
 * A dashboard page in a single declaration: path, access, content, and form action.
 *
 * `view` and `submit` return a value or an Effect, or are generators that yield Effects. After a refusal, `view`
 * renders the form again with the typed values and status 422 or 409.
 */
import type { Refusal } from "@trailbook/core"
import type { Actor, Scope } from "@trailbook/core/actor"
import type { HttpFailure } from "@trailbook/http/HttpFailure"
import type { ReplyStream } from "@trailbook/http/response/Reply"
import * as Effect from "effect/Effect"
import type { YieldWrap } from "effect/Utils"
import type { ComponentChildren } from "preact"
import { HiddenFields } from "../../ui/Field.tsx"
import {
  type DashboardPath,
  type FormAction,
  type PageContent,
  type PageContext,
  type PageHandler,
  usePage
} from "../Page.ts"
import { Button, ErrorNote, FormButtons } from "./elements.tsx"

export { redirectTo } from "../frame/getFlashMessage.ts"
export { type DashboardPath, type PageClock, type PageContent, type PageContext, usePage } from "../Page.ts"

type Steps<A> = Generator<YieldWrap<Effect.Effect<unknown, Refusal | HttpFailure, Actor>>, A, never>

export type PageProgram<A> = A | Effect.Effect<A, Refusal | HttpFailure, Actor> | Steps<A>

export interface Page {
  readonly path: DashboardPath
  readonly access: Scope
  readonly view: PageHandler | undefined
  readonly submit: FormAction | undefined
  readonly uploads: boolean
  /** Streams a list's rows as a CSV file, at the page's URL with `.csv`. */
  readonly file?: (context: PageContext) => Effect.Effect<ReplyStream, Refusal | HttpFailure, Actor>
}

interface Access {
  /** The required scope. Default: `write` if the page has a form, otherwise `read`. */
  readonly access?: Scope
}

export const page = (
  path: DashboardPath,
  { access, submit, uploads = false, view, ...file }: Access & Pick<Page, "file"> & {
    /**
     * Returns the page's content. Default: no page, only the form action. Refusals are then shown on an error page with
     * a link back.
     */
    readonly view?: (context: PageContext) => PageProgram<PageContent>
    /** Returns a path to redirect to, or a page that is shown once. */
    readonly submit?: (context: PageContext) => PageProgram<`/${string}` | PageContent>
    /**
     * Whether files can be uploaded with the form. `submit` finds the stored files with `listUploads`.
     */
    readonly uploads?: boolean
  }
): Page => ({
  path,
  uploads,
  ...file,
  access: access ?? (submit === undefined ? "read" : "write"),
  // A live update would discard typed values, so pages with a form are not live by default.
  view: view &&
    ((context) => Effect.map(toPageEffect(view, context), (content) => ({ isLive: submit === undefined, ...content }))),
  submit: submit && ((context) => toPageEffect(submit, context))
})

/**
 * Converts the result of `view` or `submit` to an Effect. A generator can run only once, so each run of the Effect
 * creates a new generator.
 */
export const toPageEffect = <A, _ = never>(
  work: (context: PageContext) => PageProgram<A>,
  context: PageContext
): Effect.Effect<A, Refusal | HttpFailure, Actor> =>
  Effect.suspend(() => {
    const result = work(context)
    if (Effect.isEffect(result)) return result
    return isGenerator(result) ? Effect.gen(() => result) : Effect.succeed(result)
  })

const isGenerator = <A, _ = never>(work: A | Steps<A>): work is Steps<A> =>
  typeof work === "object" && work !== null && Symbol.iterator in work && "next" in work

const isPage = (value: unknown): value is Page => typeof value === "object" && value !== null && "access" in value

/** Returns all pages that a module exports. */
export const collectPages = (module: object): ReadonlyArray<Page> =>
  Object.values<unknown>({ ...module }).filter(isPage)

/** Returns the page's URL without its query, which may contain a message about the previous action. */
export const getPageUrl = ({ path, site }: PageContext): string => site.link(`/dashboard${path}`)

interface ConsequenceProps {
  /** The consequences, one per sentence, most severe first. */
  readonly happens: ReadonlyArray<ComponentChildren>
  /** The button label: a verb and an object, such as "Revoke key". */
  readonly button: string
  /** The target of the cancel link. */
  readonly back: DashboardPath
  readonly backLabel?: string | undefined
  /** Hidden fields, such as an idempotency key. */
  readonly hidden?: Readonly<Record<string, string | number | undefined>> | undefined
  /** The error message for the last attempt, instead of the default one. */
  readonly refused?: string | undefined
  /** Whether the action is destructive. If false, the button is not red. Default: true. */
  readonly isGrave?: boolean | undefined
  /** Additional fields. */
  readonly children?: ComponentChildren
}

/**
 * Asks for confirmation of an action that cannot be undone or that affects guests: the consequences, the button, and a
 * link back.
 */
const ConfirmationForm = (
  { back, backLabel, button, children, happens, hidden = {}, isGrave = true, refused = usePage().rejection?.message }:
    ConsequenceProps
) => (
  <form class="card consequence" method="post" action={getPageUrl(usePage())} data-once="">
    <header>
      <h2>What happens next</h2>
    </header>
    <div class="pad stack">
      {refused !== undefined && <ErrorNote>{refused}</ErrorNote>}
      <ul class="stack tight">
        {happens.map((sentence, nth) => <li key={nth}>{sentence}</li>)}
      </ul>
      {children}
      <HiddenFields values={hidden} />
      <FormButtons button={button} isGrave={isGrave} back={back} backLabel={backLabel} />
    </div>
  </form>
)

type Confirmation = Omit<PageContent, "body"> & ConsequenceProps

interface BlockedContent extends Omit<PageContent, "body"> {
  /** Why the action is not possible. */
  readonly reason: string
  readonly back: DashboardPath
  readonly backLabel: string
}

/**
 * Defines a page that shows an action's consequences before the action runs. If there is nothing to confirm, `view`
 * returns the reason or another page instead.
 */
export const confirmPage = (path: DashboardPath, { view, ...options }: Access & {
  readonly view: (context: PageContext) => PageProgram<Confirmation | BlockedContent | PageContent>
  readonly submit: (context: PageContext) => PageProgram<`/${string}` | PageContent>
}): Page =>
  page(path, {
    ...options,
    view: (context) =>
      Effect.map(toPageEffect(view, context), (content) =>
        "body" in content
          ? content
          : "reason" in content
          ? toBlockedPage(content, context)
          : toConfirmationPage(content))
  })

/**
 * Renders the reason why an action is not possible. If the form was just refused, the error message replaces the reason.
 */
const toBlockedPage = (
  { back, backLabel, reason, ...content }: BlockedContent,
  { rejection }: PageContext
): PageContent => ({
  ...content,
  body: (
    <div class="stack form">
      {rejection === undefined ? <p class="note">{reason}</p> : <ErrorNote>{rejection.message}</ErrorNote>}
      <p>
        <Button to={back}>{backLabel}</Button>
      </p>
    </div>
  )
})

/** Renders a confirmation as a page. A form that shows its consequences first returns this page from `submit`. */
export const toConfirmationPage = (content: Confirmation): PageContent => ({
  ...content,
  body: <ConfirmationForm {...content} />
})
