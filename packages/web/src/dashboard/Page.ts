/** The types for a dashboard page: its request context and its result. Pages access data only through operations. */
import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import type { ConversationView } from "@trailbook/core/conversation"
import type { OrgView } from "@trailbook/core/org"
import type { ProposalView } from "@trailbook/core/proposal"
import type { StaffMember, StaffSession } from "@trailbook/core/staff"
import type * as Instant from "@trailbook/core/time/Instant"
import type * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Zone } from "@trailbook/core/time/Zone"
import type { HttpFailure } from "@trailbook/http/HttpFailure"
import type { Form } from "@trailbook/http/request/formBody"
import type * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import type { OperationCaller } from "../operationCaller.ts"
import type { Format } from "../text/Format.ts"
import type { RenderContext } from "../ui/RenderContext.ts"

/** A path relative to `/dashboard`. */
export type DashboardPath = "" | `/${string}`

/**
 * A dashboard page's request context. The dashboard is in English. Dates and amounts are formatted for the reader's
 * region.
 */
export interface PageContext extends RenderContext {
  readonly org: OrgView
  readonly format: Format
  readonly me: StaffMember
  /** Whether the staff member can manage the team, keys, and OAuth clients. */
  readonly isOwner: boolean
  readonly run: OperationCaller
  /** Whether the staff member can refund, void, and cancel without a refund. */
  readonly mayRefund: boolean
  readonly request: Request
  /** The sign-in session of the browser that sent the request. */
  readonly login: Pick<StaffSession, "id">
  /** The org's change counter, read before any other data on the page. */
  readonly head: number
  /** The page's path, including parameters. */
  readonly path: DashboardPath
  /** Returns a path parameter by name. */
  readonly param: (name: string) => string
  /** The path parameter `:id`. */
  readonly id: string
  /** Returns a query parameter by name, or undefined if it is empty. */
  readonly query: (name: string) => string | undefined
  readonly clock: PageClock
  /** The request time in wire format. */
  readonly now: string
  /** The submitted fields. Empty for a GET request. */
  readonly form: Form
  /** Unanswered conversations and pending proposals, read once for both the page and its menu. */
  readonly pendingCounts: Effect.Effect<PendingItems, Refusal, Actor>
  /** The rejected form, if the page is rendered again after an error. */
  readonly rejection?: RejectedForm | undefined
}

let currentPage: PageContext | undefined

/**
 * Runs a synchronous render with the given page context. Preact's own contexts are not used: for each component that
 * reads one, Preact assigns functions to properties, and V8 allocates such functions in the old generation. They keep
 * the page's elements in memory until the next full garbage collection, and those collections take up a fifth of the
 * CPU time on large pages.
 */
export const renderInPage = <A>(context: PageContext, render: () => A): A => {
  currentPage = context
  try {
    return render()
  } finally {
    currentPage = undefined
  }
}

/** Returns the context of the page that contains the component. */
export const usePage = (): PageContext => {
  if (currentPage === undefined) throw new Error("Invariant violated: component outside a page")
  return currentPage
}

/** The request time, with the org's time zone and local date. */
export interface PageClock {
  readonly now: Instant.Instant
  readonly zone: Zone
  readonly today: LocalDate.LocalDate
}

/** Unanswered conversations (up to {@link maxPendingCount}) and pending proposals. */
export interface PendingItems {
  /** Conversations whose last message is from the guest. */
  readonly conversations: ReadonlyArray<ConversationView>
  /** Undecided proposals, most urgent first. */
  readonly proposals: ReadonlyArray<ProposalView>
}

/** The limit for menu counts. At the limit, the menu shows `9+`. */
export const maxPendingCount = 10

export interface RejectedForm {
  readonly form: Form
  readonly message: string
  readonly code: string
}

export interface PageContent {
  readonly title: string
  readonly body: ComponentChildren
  /** The text below the title. */
  readonly lead?: ComponentChildren
  /** Buttons and links next to the title. */
  readonly actions?: ComponentChildren
  /** A script that the page loads in addition to the dashboard's common script. */
  readonly script?: "calendar" | "inbox" | "passkey" | "prices" | undefined
  /** CSS rules for this page, such as the positions in a calendar. */
  readonly css?: string | undefined
  /** Whether the page refreshes after changes. Default: true, except in the response to a form. */
  readonly isLive?: boolean
}

export type PageHandler = (pageContext: PageContext) => Effect.Effect<PageContent, Refusal | HttpFailure, Actor>

/**
 * Handles a form submission. Returns a path to redirect to, relative to the mount point, or a page that is shown once.
 * If the submission is refused, `view` renders the form again with the typed values.
 */
export type FormAction = (
  pageContext: PageContext
) => Effect.Effect<`/${string}` | PageContent, Refusal | HttpFailure, Actor>
