/**
 * What a page of the dashboard is made of: what was asked, by whom, and what it answers with. A page is a module with a
 * `view`, and with an `act` where it has a form; it has no other way to anything than the operations.
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { ConversationView } from "@trailbook/core/conversation/ConversationView"
import type { OrgView } from "@trailbook/core/org/OrgView"
import type { ProposalView } from "@trailbook/core/proposal/ProposalView"
import type { Refusal } from "@trailbook/core/Refusal"
import type { StaffMember } from "@trailbook/core/staff/StaffMember"
import type { StaffSession } from "@trailbook/core/staff/StaffSession"
import type * as Instant from "@trailbook/core/time/Instant"
import type * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Zone } from "@trailbook/core/time/Zone"
import type { Failure } from "@trailbook/http/Failure"
import type { Form } from "@trailbook/http/form"
import type * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import type { RunOperation } from "../runOperation.ts"
import type { Format } from "../text/Format.ts"
import type { RenderContext } from "../ui/RenderContext.ts"

/**
 * For whom a page is shown. The dashboard speaks English; dates and amounts are written as the reader's region does.
 */
export interface DashboardContext extends RenderContext {
  readonly org: OrgView
  readonly format: Format
  readonly me: StaffMember
  /** Whether they may change who and what opens the org. */
  readonly isOwner: boolean
}

export interface PageContext {
  readonly run: RunOperation
  readonly shown: DashboardContext
  readonly request: Request
  /** The login of this very browser. */
  readonly login: Pick<StaffSession, "id">
  /** How far the outfitter had come before anything of the page was read. */
  readonly head: number
  /** Part of the path, by its name. */
  readonly param: (name: string) => string
  /** Part of the query, by its name; what is empty was not said. */
  readonly query: (name: string) => string | undefined
  readonly clock: Clock
  /** What waits for somebody, read once for the page and its menu. */
  readonly waiting: Effect.Effect<PendingCounts, Refusal, Actor>
  /** What was sent and not taken, for a form that is shown again. */
  readonly refused?: RejectedForm | undefined
}

/** The moment of a request, and by the clocks of the outfitter. */
export interface Clock {
  readonly now: Instant.Instant
  /** The same as operations say it. */
  readonly stamp: string
  readonly zone: Zone
  readonly today: LocalDate.LocalDate
}

/** The first of what waits for somebody, at most {@link maxPending} of each. */
export interface PendingCounts {
  /** Conversations in which the guest wrote last. */
  readonly threads: ReadonlyArray<ConversationView>
  /** Proposals that nobody has decided. */
  readonly proposals: ReadonlyArray<ProposalView>
}

/** So many stand for more: the menu says `9+`. */
export const maxPending = 10

export interface RejectedForm {
  readonly form: Form
  readonly message: string
  readonly code: string
}

/** The parts of the dashboard, as the menu names them. */
export type DashboardSection = (typeof dashboardSections)[number]

export const dashboardSections = [
  "today",
  "calendar",
  "bookings",
  "inbox",
  "proposals",
  "offerings",
  "guests",
  "settings",
  "team",
  "developers",
  "applications",
  "automations",
  "billing",
  "passkeys"
] as const

export interface DashboardPage {
  readonly title: string
  /** The part that the menu marks. */
  readonly part: DashboardSection
  readonly body: ComponentChildren
  /** Below the title. */
  readonly lead?: ComponentChildren
  /** Beside the title: what can be done here. */
  readonly actions?: ComponentChildren
  /** What its script does beside that of all pages. */
  readonly script?: "inbox" | "passkey"
  /** Rules of CSS of this page alone, such as where a calendar puts what it shows. */
  readonly css?: string | undefined
  /** False where nothing of the page changes by itself. True when nothing is said, except of what a form is answered. */
  readonly isLive?: boolean
}

export type PageView = (asked: PageContext) => Effect.Effect<DashboardPage, Refusal | Failure, Actor>

/**
 * Does what a form asks for, and says where to go on: the path of a page below the mount, or a page that is shown this
 * one time. What is refused is shown with the form by `view`, with all that was typed.
 */
export type FormAction<Sent = Form> = (
  asked: PageContext & { readonly form: Sent }
) => Effect.Effect<`/${string}` | DashboardPage, Refusal | Failure, Actor>
