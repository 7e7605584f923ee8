/** Finds the conversation of a secret address. If it was merged into another conversation, finds that one. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TenantScope } from "../port/TenantScope.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { followMerge } from "./followMerge.ts"

export const makeFindByReplyToken = Effect.map(
  ConversationStore,
  (store) => (token: string): Effect.Effect<Conversation | undefined> =>
    Effect.flatMap(store.findByToken(token), (found) =>
      Option.isNone(found) || found.value.movedTo === null
        ? Effect.succeed(Option.getOrUndefined(found))
        : withTenant(found.value.orgId)(followMerge(store)(found.value)))
)

/** Sets the tenant scope to the org that an address belongs to. */
export const withTenant = (orgId: string) => Effect.provideService(TenantScope, [orgId])

/** Number of messages of a conversation to search for quotations. */
export const maxQuotedMessages = 50
