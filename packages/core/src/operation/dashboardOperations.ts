/** Dashboard operations for staff members. They are not part of the API. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { automationNames, autonomyLevels } from "../automation/Automation.ts"
import { Broadcasts } from "../conversation/broadcast/Broadcasts.ts"
import { ConversationView, conversationView, mergeThreadRows, ThreadRow } from "../conversation/ConversationView.ts"
import { Drafts } from "../conversation/draft/Drafts.ts"
import { messagesBroadcast, parseAudience } from "../conversation/message/messageOperations.ts"
import { StaffConversations } from "../conversation/StaffConversations.ts"
import { Attachments } from "../file/Attachments.ts"
import { Photos } from "../file/Photos.ts"
import { photoAltField } from "../offering/offeringOperations.ts"
import { OfferingView, toPhotoViews } from "../offering/OfferingView.ts"
import { imageKinds } from "../org/Org.ts"
import { OrgView, orgView } from "../org/OrgView.ts"
import { AutomationRuns, type PreviewedProposal } from "../proposal/AutomationRuns.ts"
import { ActionView, actionView } from "../proposal/Proposal.ts"
import { unavailable } from "../Refusal.ts"
import { toAuditActor } from "../staff/AuditLog.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Field from "../wire/Field.ts"
import { Id, Integer, Metadata, Timestamp } from "../wire/View.ts"
import * as PageOperation from "./PageOperation.ts"
import type { OperationHandlers } from "./Registry.ts"

const makeOperation = PageOperation.makePageOperations("dashboard")

/** The maximum number of rows that a thread shows. Older rows are omitted. */
const maxRows = 500

/** The maximum number of recipients listed by name. */
const maxNames = 50

/** Mail details that only the outfitter sees. */
const MailView = Schema.Struct({
  id: Id,
  /** The failure reason returned by the receiving mail server. */
  failure: Schema.NullOr(Schema.String),
  /** The quoted text removed from a guest's mail. */
  cut: Schema.String
})

export const dashboardThread = makeOperation("dashboard.thread", {
  input: Schema.Struct({ id: Field.uuid, rows: Field.integer(1, maxRows) }),
  output: Schema.Struct({
    ...ConversationView.fields,
    thread: Schema.Array(ThreadRow),
    /** The mail details of the messages. Messages without mail details are omitted. */
    mails: Schema.Array(MailView),
    /** Whether the thread has rows before the first returned row. */
    has_earlier: Schema.Boolean,
    /** Whether a language model drafts replies. */
    drafts: Schema.Boolean,
    now: Timestamp
  }),
  refusals: ["not_found"]
})

export const dashboardAddressees = makeOperation("dashboard.addressees", {
  input: Schema.Struct({ target: messagesBroadcast.input.fields.target }),
  output: Schema.Struct({
    count: Integer,
    erased: Integer,
    people: Schema.Array(Schema.Struct({ id: Id, name: Schema.String, email: Schema.String }))
  }),
  refusals: ["not_found"]
})

const PreviewedProposalView = Schema.Struct({
  title: Schema.String,
  day: Schema.String,
  data: Metadata,
  actions: Schema.Array(ActionView),
  /** The expected outcome. `there` means that the proposal already exists. */
  outcome: Schema.Literal("there", "off", "now", "later", "person", "cap", "money"),
  run_at: Schema.NullOr(Timestamp)
})

export const dashboardPreviewAutomations = makeOperation("dashboard.previewAutomations", {
  input: Schema.Struct({}),
  output: Schema.Struct({
    data: Schema.Array(Schema.Struct({
      automation: Schema.Literal(...automationNames),
      dial: Schema.Literal(...autonomyLevels),
      proposals: Schema.Array(PreviewedProposalView)
    }))
  })
})

/** Adds a photo from an uploaded file. API clients upload the photo directly. */
export const dashboardAddPhoto = makeOperation("dashboard.add_photo", {
  input: Schema.Struct({ id: Field.uuid, attachment_id: Field.uuid, alt: photoAltField }),
  output: OfferingView.pick("photos"),
  refusals: ["not_found", "too_large", "unsupported_type"]
})

/**
 * Sets the logo or the cover image from an uploaded file. Only owners can do this. API clients upload the image
 * directly.
 */
export const staffAddImage = PageOperation.makePageOperations("staff")("staff.addImage", {
  input: Schema.Struct({ attachment_id: Field.uuid, kind: Field.oneOf(...imageKinds) }),
  output: OrgView,
  refusals: ["not_found", "too_large", "unsupported_type"]
})

export const dashboardOperations = [
  dashboardThread,
  dashboardAddressees,
  dashboardPreviewAutomations,
  dashboardAddPhoto,
  staffAddImage
] as const

export const dashboardHandlers = Effect.gen(function*() {
  const attachments = Option.getOrUndefined(yield* Effect.serviceOption(Attachments))
  const broadcasts = yield* Broadcasts
  const conversations = yield* StaffConversations
  const drafts = yield* Drafts
  const photos = yield* Photos
  const automationRuns = yield* AutomationRuns

  const readUpload = (orgId: string, id: string) =>
    Effect.gen(function*() {
      if (attachments === undefined) return yield* unavailable()
      const { content } = yield* attachments.open({ orgId, id })
      return yield* Effect.tryPromise({
        try: async () => new Uint8Array(await new Response(content).arrayBuffer()),
        catch: () => unavailable("File storage is unavailable. Retry the request.")
      })
    })

  return {
    "dashboard.thread": ({ id, rows }, { orgId }) =>
      Effect.gen(function*() {
        const { events, messages, record } = yield* conversations.get({ orgId, id }, rows + 1)
        const entries = mergeThreadRows(messages, events, rows + 1)
        return {
          ...conversationView(record),
          thread: entries.slice(-rows),
          mails: messages.flatMap(({ message: { cut, failure, id } }) =>
            cut === "" && failure === null ? [] : [{ id, cut, failure }]
          ),
          has_earlier: entries.length > rows,
          drafts: drafts.isOn,
          now: Instant.format(yield* currentTime)
        }
      }),
    "dashboard.addressees": ({ target }, { orgId }) =>
      Effect.gen(function*() {
        const audience = yield* parseAudience(target)
        return yield* broadcasts.addressees({ orgId, audience, names: maxNames })
      }),
    "dashboard.previewAutomations": (_, { orgId }) =>
      Effect.zipWith(automationRuns.preview(orgId), currentTime, (previews, now) => ({
        data: previews.map(({ automation, dial, suggestions }) => ({
          automation,
          dial,
          proposals: suggestions.map((one) => previewedProposalView(one, now))
        }))
      })),
    "dashboard.add_photo": ({ alt, attachment_id, id }, { orgId }) =>
      Effect.gen(function*() {
        const bytes = yield* readUpload(orgId, attachment_id)
        return { photos: toPhotoViews(yield* photos.add({ orgId, id }, { alt, bytes })) }
      }),
    "staff.addImage": ({ attachment_id, kind }, actor) =>
      Effect.gen(function*() {
        const bytes = yield* readUpload(actor.orgId, attachment_id)
        return orgView(yield* photos.addImage(actor.orgId, { kind, bytes, by: toAuditActor(actor) }))
      })
  } satisfies OperationHandlers<typeof dashboardOperations>
})

const previewedProposalView = (
  proposal: PreviewedProposal,
  now: Instant.Instant
): typeof PreviewedProposalView.Type => ({
  title: proposal.title,
  day: LocalDate.format(proposal.day),
  data: proposal.data,
  actions: proposal.actions.map(actionView),
  outcome: outcomeOf(proposal, now),
  run_at: proposal.start?._tag === "Runs" && !proposal.isDuplicate ? Instant.format(proposal.start.at) : null
})

const outcomeOf = (
  { isDuplicate, start }: PreviewedProposal,
  now: Instant.Instant
): typeof PreviewedProposalView.Type["outcome"] => {
  if (isDuplicate) return "there"
  if (start === undefined) return "off"
  if (start._tag === "Runs") return start.at <= now ? "now" : "later"
  return start.held ?? "person"
}
