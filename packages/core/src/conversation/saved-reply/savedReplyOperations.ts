import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { listHiddenVariables } from "../../operation/guestAccess.ts"
import * as Operation from "../../operation/Operation.ts"
import type { OperationHandlers } from "../../operation/Registry.ts"
import { invalid } from "../../Refusal.ts"
import * as Field from "../../wire/Field.ts"
import { Ok, ok } from "../../wire/View.ts"
import { SavedReplies, type TemplateSource } from "./SavedReplies.ts"
import { FilledReplyView, maxSavedReplies, SavedReplyView, savedReplyView } from "./SavedReply.ts"

const title = Field.sameAs(SavedReplyView.fields.title, Field.text({ min: 1, max: 80 }))
const body = Field.sameAs(SavedReplyView.fields.body, Field.text({ min: 1, max: 5000 }))
const id = Field.withDescription("the saved reply", Field.uuid)

export const savedRepliesList = Operation.make("saved_replies.list", {
  route: ["GET", "/saved_replies"],
  summary: "List saved replies by title, with the variables filled in for a booking or conversation.",
  description:
    "Set at most one of booking_id and conversation_id. If both are omitted, only {org} is filled in. A variable " +
    "without a value is removed, and {first_name} becomes \"there\". Unknown names in braces stay unchanged. The " +
    "missing field lists unknown names and variables without a value. {booking_link} requires write access and " +
    "access to guest data, and {first_name} requires access to guest data.",
  input: Schema.Struct({
    booking_id: Field.describedOptional("the booking whose values fill in the variables", Field.uuid),
    conversation_id: Field.describedOptional(
      "the conversation whose guest and next booking fill in the variables",
      Field.uuid
    )
  }),
  output: Schema.Struct({ data: Field.withDescription("by title", Schema.Array(FilledReplyView)) }),
  refusals: ["not_found"],
  tool: {
    title: "List saved replies",
    toolset: "messages",
    description: "Lists saved replies by title, with the variables filled in for a booking or conversation."
  }
})

export const savedRepliesCreate = Operation.make("saved_replies.create", {
  route: ["POST", "/saved_replies"],
  summary: "Create a saved reply.",
  description: `An outfitter can have at most ${maxSavedReplies} saved replies.`,
  input: Schema.Struct({ title, body }),
  output: SavedReplyView,
  status: 201,
  tool: {
    title: "Create a saved reply",
    toolset: "messages",
    description: "Creates a reusable reply. Variables such as {first_name} are filled in when the reply is used."
  }
})

export const savedRepliesUpdate = Operation.make("saved_replies.update", {
  route: ["PATCH", "/saved_replies/:id"],
  summary: "Change a saved reply.",
  input: Schema.Struct({ id, title: Field.optional(title), body: Field.optional(body) }),
  output: SavedReplyView,
  refusals: ["not_found"],
  hints: { idempotent: true },
  tool: {
    title: "Update a saved reply",
    toolset: "messages",
    description: "Changes the title or body of a saved reply."
  }
})

export const savedRepliesDelete = Operation.make("saved_replies.delete", {
  route: ["DELETE", "/saved_replies/:id"],
  summary: "Delete a saved reply.",
  input: Schema.Struct({ id }),
  output: Ok,
  refusals: ["not_found"],
  hints: { destructive: true },
  tool: {
    title: "Delete a saved reply",
    toolset: "messages",
    description: "Deletes a saved reply. Cannot be undone."
  }
})

export const savedReplyOperations = [
  savedRepliesList,
  savedRepliesCreate,
  savedRepliesUpdate,
  savedRepliesDelete
] as const

export const savedReplyHandlers = Effect.gen(function*() {
  const replies = yield* SavedReplies
  return {
    "saved_replies.list": ({ booking_id: bookingId, conversation_id: conversationId }, actor) =>
      Effect.gen(function*() {
        if (bookingId !== undefined && conversationId !== undefined) {
          return yield* invalid("conversation_id: cannot be combined with booking_id")
        }
        const subject: TemplateSource | undefined = bookingId === undefined
          ? conversationId === undefined ? undefined : { conversationId }
          : { bookingId }
        const rows = yield* replies.list(actor.orgId, subject, listHiddenVariables(actor))
        return { data: rows.map(({ missing, reply, text }) => ({ ...savedReplyView(reply), text, missing })) }
      }),
    "saved_replies.create": (input, { orgId }) => Effect.map(replies.create(orgId, input), savedReplyView),
    "saved_replies.update": ({ id, ...patch }, { orgId }) =>
      Effect.map(replies.update({ orgId, id }, patch), savedReplyView),
    "saved_replies.delete": ({ id }, { orgId }) => Effect.as(replies.remove({ orgId, id }), ok)
  } satisfies OperationHandlers<typeof savedReplyOperations>
})
